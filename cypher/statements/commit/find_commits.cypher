// The lines, of some, under whose first proposal a memory was committed.
// $keys: the commit key of the first memory of each
MATCH (m:Entry)
WHERE m.commit_key IN $keys
RETURN m.subject AS memory, split(m.commit_key, ' ')[0] AS root
ORDER BY root
