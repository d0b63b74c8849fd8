// The proposals that wait for some names to be registered.
// $keys: keys of anchor reviews
MATCH (p:Proposal)-[:AWAITS]->(r:AnchorReview)
WHERE r.key IN $keys
RETURN DISTINCT p.id AS id
ORDER BY id
