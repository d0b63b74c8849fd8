// The owner's reclassifications of some memories.
// $memories: their ids
MATCH (r:Reclassification)
WHERE r.subject IN $memories
RETURN properties(r) AS entry
ORDER BY r.seq
