// One run.
// $id: its id
MATCH (r:Run {id: $id})
RETURN properties(r) AS run
