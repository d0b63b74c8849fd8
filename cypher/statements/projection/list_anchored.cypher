// The memories whose states are linked to some entities, by an anchor or a relation.
// $entities: ids of entities
// $after: id of the memory to begin after
// $limit: most memories of this page
MATCH (s:State)-[:ABOUT|SUBJECT|OBJECT]->(e:Entity)
WHERE e.id IN $entities AND s.memory > $after
RETURN DISTINCT s.memory AS memory
ORDER BY memory
LIMIT $limit
