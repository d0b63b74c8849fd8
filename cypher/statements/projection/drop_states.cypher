// Drop part of the projection.
// $limit: most states at once
MATCH (s:State)
WITH s LIMIT $limit
DETACH DELETE s
RETURN count(*) AS dropped
