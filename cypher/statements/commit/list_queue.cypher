// What waits in one lane and may be taken up now, the oldest first.
// $after: begin after this queue key
// $until: end before this queue key
// $now: the present instant
// $limit: most proposals of this page
MATCH (p:Proposal)
WHERE p.queue > $after AND p.queue < $until AND p.not_before <= $now
RETURN p.id AS id, p.queue AS queue
ORDER BY p.queue
LIMIT $limit
