// The oldest run that was asked for and not finished.
// $states: the states it may be in
MATCH (r:Run)
WHERE r.state IN $states
RETURN properties(r) AS run
ORDER BY r.place
LIMIT 1
