// End a run and leave what it did to whoever waits for it.
// $id: the run's
// $summary: canonical JSON
// $at: now
MATCH (r:Run {id: $id})
SET r.state = 'finished', r.finished_at = $at, r.summary = $summary
RETURN properties(r) AS run
