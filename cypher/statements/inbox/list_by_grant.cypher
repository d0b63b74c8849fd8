// One grant's proposals, the newest first.
// $prefix: the beginning of the grant's keys
// $before: the key to begin before
// $state: null, or the only state wanted
// $limit: most proposals of this page
MATCH (p:Proposal)
WHERE p.by_grant > $prefix AND p.by_grant < $before AND ($state IS NULL OR p.state = $state)
RETURN p {.*, decision: null} AS proposal
ORDER BY p.by_grant DESC
LIMIT $limit
