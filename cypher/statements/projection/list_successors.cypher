// The memories that supersede some others.
// $targets: ids of memories
MATCH (m:Memory)
WHERE m.supersedes IN $targets
RETURN properties(m) AS entry, [(m)-[:HAS_EVIDENCE]->(v:Evidence) | properties(v)] AS evidence
ORDER BY m.seq
