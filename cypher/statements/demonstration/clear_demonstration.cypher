// Erase some of what an earlier demonstration left. Erases nothing in a database without its mark.
// $mark: the name of the demonstration's store, which no other store may bear
// $limit: most nodes
MATCH (:Store {key: 'store', name: $mark})
MATCH (node)
WHERE NOT node:Store AND NOT node:Schema
WITH node LIMIT $limit
DETACH DELETE node
RETURN count(*) AS erased
