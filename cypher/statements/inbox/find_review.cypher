// The anchor review of a name, with all the proposals that name it.
// $key: the name, folded
MATCH (r:AnchorReview {key: $key})
RETURN properties(r) AS review, [(p:Proposal)-[a:AWAITS]->(r) | [a.at, p.id]] AS named
