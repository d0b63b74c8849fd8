// The anchor reviews, the newest first, with all the proposals that name them.
// $before: the place to begin before
// $limit: most reviews of this page
MATCH (r:AnchorReview)
WHERE r.place < $before
RETURN properties(r) AS review, [(p:Proposal)-[a:AWAITS]->(r) | [a.at, p.id]] AS named
ORDER BY r.place DESC
LIMIT $limit
