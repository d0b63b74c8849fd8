// Ask the curator for a run.
// $id: the run's
// $place: its order among runs
// $at: when it was asked for
MERGE (r:Run {id: $id})
ON CREATE SET r.place = $place, r.origin = 'asked', r.state = 'waiting', r.requested_at = $at
RETURN properties(r) AS run
