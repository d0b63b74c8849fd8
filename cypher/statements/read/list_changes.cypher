// The states that changed in a stretch of the ledger, in the order in which followers take them.
// $after: begin after this key (State.change: the sequence, then the memory)
// $until: end before this key
// $limit: most states of this page
MATCH (s:State)
WHERE s.change > $after AND s.change < $until
RETURN s.memory AS memory, s.changed_seq AS seq, s.change AS change
ORDER BY s.change
LIMIT $limit
