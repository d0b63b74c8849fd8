// Put a proposal that could not be decided aside for a while.
// $id: the proposal's
// $reason: a dotted code
// $by_state: its key among those that are retried
// $not_before: when to try again
// $at: when it failed
MATCH (p:Proposal {id: $id})
WHERE p.queue IS NOT NULL
SET p.state = 'retrying', p.by_state = $by_state, p.reason = $reason, p.not_before = $not_before,
    p.decided_at = $at, p.attempts = p.attempts + 1
RETURN p.id AS id
