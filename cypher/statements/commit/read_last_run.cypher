// The last run of one origin that was finished.
// $origin: nightly or asked
MATCH (r:Run)
WHERE r.place < '9' AND r.origin = $origin AND r.state = 'finished'
RETURN properties(r) AS run
ORDER BY r.place DESC
LIMIT 1
