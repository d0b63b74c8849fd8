// States by memory, with what they are linked to.
// $memories: ids of memories
MATCH (s:State)
WHERE s.memory IN $memories
RETURN properties(s) AS state, [(s)-[:OF]->(m:Memory) | m.id] AS memories,
       [(s)-[:ABOUT]->(e:Entity) | e.id] AS about,
       [(s)-[:SUBJECT]->(e:Entity) | e.id] AS subjects, [(s)-[:OBJECT]->(e:Entity) | e.id] AS objects
ORDER BY s.memory
