// What is believed and says one of these things already.
// $keys: digests of what is said (policies.text.dedup_key)
// $limit: most memories
MATCH (s:State)
WHERE s.dedup_key IN $keys AND s.believed
RETURN s.memory AS memory
ORDER BY s.seq
LIMIT $limit
