// States by memory, with what they are linked to.
// $memories: ids of memories
MATCH (s:State)
WHERE s.memory IN $memories
RETURN properties(s) AS state,
       [(s)-[:ABOUT]->(e:Entity) | e.id] AS about, [(s)-[:OF]->(m:Memory) | m.id] AS memories
ORDER BY s.memory
