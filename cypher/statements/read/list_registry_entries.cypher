// The changes of the registry, in the order of the chain.
// $after: sequence of the entry to begin after
// $limit: most entries of this page
MATCH (e:RegistryEntry)
WHERE e.seq > $after
RETURN properties(e) AS entry
ORDER BY e.seq
LIMIT $limit
