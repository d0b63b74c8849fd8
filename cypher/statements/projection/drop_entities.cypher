// Drop part of the projection.
// $limit: most entities at once
MATCH (e:Entity)
WITH e LIMIT $limit
DETACH DELETE e
RETURN count(*) AS dropped
