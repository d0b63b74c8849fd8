// Entries by their places in the chain.
// $seqs: their sequences
MATCH (e:Entry)
WHERE e.seq IN $seqs
RETURN properties(e) AS entry
ORDER BY e.seq
