// The ledger in the order of its chain, with the private content that is stored beside the bodies.
// $after: sequence of the entry to begin after
// $limit: most entries of this page
MATCH (e:Entry)
WHERE e.seq > $after
RETURN properties(e) AS entry, [(e)-[:HAS_EVIDENCE]->(v:Evidence) | properties(v)] AS evidence
ORDER BY e.seq
LIMIT $limit
