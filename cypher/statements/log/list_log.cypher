// Calls in a stretch of time, the newest first.
// $since: the key to end after
// $before: the place to begin before
// $memory: null, or the id that must have been served
// $limit: most calls of this page
MATCH (l:ServiceLog)
WHERE l.place > $since AND l.place < $before AND ($memory IS NULL OR $memory IN l.ids)
RETURN properties(l) AS entry
ORDER BY l.place DESC
LIMIT $limit
