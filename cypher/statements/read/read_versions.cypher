// Memories with their states, by id; what does not exist is left out.
// $ids: ids of memories
MATCH (s:State)-[:OF]->(m:Memory)
WHERE s.memory IN $ids
RETURN properties(m) AS entry, [(m)-[:HAS_EVIDENCE]->(v:Evidence) | properties(v)] AS evidence,
       properties(s) AS state
ORDER BY s.memory
