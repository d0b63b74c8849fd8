// Move proposals out of the queue, into the states that their outcomes give them.
// $settled: id, state, by_state, outcome_seq and decided_at of each
UNWIND $settled AS one
MATCH (p:Proposal {id: one.id})
SET p.state = one.state, p.by_state = one.by_state, p.queue = null,
    p.outcome_seq = one.outcome_seq, p.decided_at = one.decided_at
