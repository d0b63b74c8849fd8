// The proposals that wait for some names to be registered, of those who may know the entities that now bear them:
// the owner, and tools of the entities' level.
// $closed: key, and level of the entity, of each
UNWIND $closed AS one
MATCH (p:Proposal)-[:AWAITS]->(r:AnchorReview {key: one.key})
WHERE p.grant IS NULL OR p.grant_level >= one.level
RETURN DISTINCT p.id AS id
ORDER BY id
