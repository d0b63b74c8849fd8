// The curator's runs, the newest first.
// $before: the place to begin before
// $limit: most runs of this page
MATCH (r:Run)
WHERE r.place < $before
RETURN properties(r) AS run
ORDER BY r.place DESC
LIMIT $limit
