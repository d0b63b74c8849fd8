// What is believed about some entities, within a level and (where given) some domains; the newest first.
// $entities: canonical ids
// $level: the highest effective level, as a number
// $domains: null, or the domains that all of a memory's domains must be among
// $limit: most memories
MATCH (s:State)-[:ABOUT]->(e:Entity)
WHERE e.id IN $entities
  AND s.believed AND s.level <= $level
  AND ($domains IS NULL OR (size(s.domains) > 0 AND all(d IN s.domains WHERE d IN $domains)))
RETURN DISTINCT s.memory AS memory, s.seq AS seq, s.changed_seq AS changed_seq
ORDER BY seq DESC
LIMIT $limit
