// What waits in one lane and may be taken up now, the oldest first.
// $lane: the beginning of the lane's queue keys
// $now: the present instant
// $limit: most proposals
MATCH (p:Proposal)
WHERE p.queue STARTS WITH $lane AND p.not_before <= $now
RETURN p.id AS id
ORDER BY p.queue
LIMIT $limit
