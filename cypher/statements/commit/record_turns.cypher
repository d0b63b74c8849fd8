// Remember when lanes were last served, so that the others come first.
// $lanes: grants
// $seq: sequence of the outcome
UNWIND $lanes AS lane
MATCH (l:Lane {grant: lane})
SET l.served = $seq
