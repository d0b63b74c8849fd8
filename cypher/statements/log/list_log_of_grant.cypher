// One grant's calls in a stretch of time, the newest first.
// $since: the key to end after
// $before: the key to begin before
// $memory: null, or the id that must have been served
// $limit: most calls of this page
MATCH (l:ServiceLog)
WHERE l.by_grant > $since AND l.by_grant < $before AND ($memory IS NULL OR $memory IN l.ids)
RETURN properties(l) AS entry
ORDER BY l.by_grant DESC
LIMIT $limit
