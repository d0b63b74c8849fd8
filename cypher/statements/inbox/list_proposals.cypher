// Every proposal, the newest first.
// $before: the place to begin before
// $limit: most proposals of this page
MATCH (p:Proposal)
WHERE p.place < $before
RETURN p {.*, decision: null} AS proposal
ORDER BY p.place DESC
LIMIT $limit
