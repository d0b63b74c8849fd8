// The relations that begin or end at some entities, within a level and (where given) some domains.
// $entities: canonical ids
// $level: the highest effective level, as a number
// $domains: null, or the domains that all of a memory's domains must be among
// $after: id of the memory to begin after
// $limit: most relations of this page
MATCH (s:State)-[:SUBJECT|OBJECT]->(e:Entity)
WHERE e.id IN $entities
  AND s.memory > $after AND s.level <= $level
  AND ($domains IS NULL OR (size(s.domains) > 0 AND all(d IN s.domains WHERE d IN $domains)))
RETURN DISTINCT s.memory AS memory, s.source AS source, s.predicate AS type, s.target AS target,
       s.level AS level, s.discretion AS discretion, s.domains AS domains,
       s.valid_from AS valid_from, s.valid_to AS valid_to
ORDER BY memory
LIMIT $limit
