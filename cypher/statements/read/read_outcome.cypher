// The last outcome recorded for a proposal.
// $proposal: its id
MATCH (o:Outcome {subject: $proposal})
RETURN properties(o) AS entry
ORDER BY o.seq DESC
LIMIT 1
