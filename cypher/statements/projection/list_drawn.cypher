// The relations that begin at some entities.
// $entities: ids of entities
MATCH (e:Entity)-[r:RELATES]->(target:Entity)
WHERE e.id IN $entities
RETURN e.id AS source, target.id AS target, properties(r) AS properties
ORDER BY r.memory, source, target
