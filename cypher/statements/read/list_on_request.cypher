// What is served on request only, about some entities or in some domains, within a level; superseded too.
// $entities: canonical ids
// $domains: ids of domains
// $level: the highest effective level, as a number
// $limit: most memories
MATCH (s:State)
WHERE s.on_request > '' AND s.level <= $level
  AND (any(a IN s.anchors WHERE a IN $entities) OR any(d IN s.domains WHERE d IN $domains))
RETURN s.memory AS memory
ORDER BY memory
LIMIT $limit
