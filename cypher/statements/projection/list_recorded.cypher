// Memories as they were recorded, by id.
// $ids: their ids
MATCH (m:Memory)
WHERE m.id IN $ids
RETURN properties(m) AS entry, [(m)-[:HAS_EVIDENCE]->(v:Evidence) | properties(v)] AS evidence
ORDER BY m.seq
