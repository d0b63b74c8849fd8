// The projected entities.
// $after: id of the entity to begin after
// $limit: most entities of this page
MATCH (e:Entity)
WHERE e.id > $after
RETURN properties(e) AS entity
ORDER BY e.id
LIMIT $limit
