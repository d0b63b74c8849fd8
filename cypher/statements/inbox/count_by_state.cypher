// How many proposals are in one state.
// $prefix: the beginning of the state's keys
// $before: the key to end before
MATCH (p:Proposal)
WHERE p.by_state > $prefix AND p.by_state < $before
RETURN count(p) AS proposals
