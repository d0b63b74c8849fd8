// The changes of the owner's passkeys, in the order of the chain.
// $after: sequence of the entry to begin after
// $limit: most entries of this page
MATCH (e:PasskeyEntry)
WHERE e.seq > $after
RETURN properties(e) AS entry
ORDER BY e.seq
LIMIT $limit
