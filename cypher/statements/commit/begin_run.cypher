// Begin a run: one that was asked for, or the curator's own.
// $id: the run's
// $place: its order among runs, if it is new
// $at: now
MERGE (r:Run {id: $id})
ON CREATE SET r.place = $place, r.origin = 'nightly', r.requested_at = $at
SET r.state = 'running', r.started_at = $at
RETURN properties(r) AS run
