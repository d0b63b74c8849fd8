// How many memories that are believed, and not closed, are about each of some entities; none: left out.
// $entities: canonical ids
// $happened: the kinds that happened once and are never closed
// $now: the instant at which they must not be closed
MATCH (s:State)-[:ABOUT]->(e:Entity)
WHERE e.id IN $entities
  AND s.believed
  AND (s.valid_to IS NULL OR s.kind IN $happened OR s.valid_to > $now)
RETURN e.id AS entity, count(s) AS memories
ORDER BY entity
