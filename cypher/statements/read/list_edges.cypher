// The relations that begin or end at some entities, within a level and (where given) some domains.
// $entities: canonical ids
// $level: the highest effective level, as a number
// $domains: null, or the domains that all of a memory's domains must be among
// $after: id of the memory to begin after
// $limit: most relations of this page
MATCH (e:Entity)-[r:RELATES]-(:Entity)
WHERE e.id IN $entities
  AND r.memory > $after AND r.level <= $level
  AND ($domains IS NULL OR (size(r.domains) > 0 AND all(d IN r.domains WHERE d IN $domains)))
RETURN DISTINCT properties(r) AS edge, startNode(r).id AS source, endNode(r).id AS target, r.memory AS memory
ORDER BY memory
LIMIT $limit
