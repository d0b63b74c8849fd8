// Append outcomes of proposals to the ledger.
// $entries: the entry's fields and the outcome's private content, in the order of the chain
UNWIND $entries AS e
CREATE (o:Entry:Outcome {
  seq: e.seq, type: e.type, subject: e.subject, recorded_at: e.recorded_at, body: e.body, prev: e.prev,
  hash: e.hash, mac: e.mac, commit_key: e.commit_key, salt: e.salt, details: e.details
})
