// The memories that supersede some others.
// $targets: ids of memories
MATCH (m:Memory)-[:SUPERSEDES]->(target:Memory)
WHERE target.id IN $targets
RETURN properties(m) AS entry, [(m)-[:HAS_EVIDENCE]->(v:Evidence) | properties(v)] AS evidence
ORDER BY m.seq
