// The proposals in one state, the newest first.
// $prefix: the beginning of the state's keys
// $before: the key to begin before
// $limit: most proposals of this page
MATCH (p:Proposal)
WHERE p.by_state > $prefix AND p.by_state < $before
RETURN p {.*, decision: null} AS proposal
ORDER BY p.by_state DESC
LIMIT $limit
