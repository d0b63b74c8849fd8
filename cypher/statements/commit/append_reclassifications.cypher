// Append the owner's reclassifications to the ledger.
// $entries: the entry's fields, in the order of the chain
UNWIND $entries AS e
CREATE (r:Entry:Reclassification {
  seq: e.seq, type: e.type, subject: e.subject, recorded_at: e.recorded_at, body: e.body, prev: e.prev,
  hash: e.hash, mac: e.mac, commit_key: e.commit_key
})
