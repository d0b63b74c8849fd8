// How many anchor reviews wait for an answer.
MATCH (r:AnchorReview)
WHERE r.closed_at IS NULL
RETURN count(r) AS reviews
