// The anchor reviews, the newest first, with all the proposals that name them.
// $before: the place to begin before
// $open: null, or whether only those that wait for an answer are wanted, or only those that have one
// $limit: most reviews of this page
MATCH (r:AnchorReview)
WHERE r.place < $before AND ($open IS NULL OR $open = (r.closed_at IS NULL))
RETURN properties(r) AS review, [(p:Proposal)-[a:AWAITS]->(r) | [a.at, p.id]] AS named
ORDER BY r.place DESC
LIMIT $limit
