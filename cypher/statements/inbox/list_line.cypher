// The proposals of one line: the first of all, and those admitted again for it.
// $root: the first proposal of the line
// $limit: most proposals
MATCH (p:Proposal)
WHERE p.root = $root
RETURN p {.*, decision: null} AS proposal
ORDER BY p.place
LIMIT $limit
