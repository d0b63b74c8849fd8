// One proposal beyond the bound of what may wait in a lane, if there is one.
// $lane: the beginning of the lane's queue keys
// $bound: how many may wait
MATCH (p:Proposal)
WHERE p.queue STARTS WITH $lane
RETURN p.id AS id
ORDER BY p.queue
SKIP $bound
LIMIT 1
