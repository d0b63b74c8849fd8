// Record calls of tools; one that is recorded already is left as it is.
// $entries: id and properties of each
UNWIND $entries AS entry
MERGE (l:ServiceLog {id: entry.id})
ON CREATE SET l += entry
