// Append memories to the ledger.
// $entries: the entry's fields and the memory's private content, in the order of the chain
UNWIND $entries AS e
CREATE (m:Entry:Memory {
  seq: e.seq, type: e.type, subject: e.subject, recorded_at: e.recorded_at, body: e.body, prev: e.prev,
  hash: e.hash, mac: e.mac, commit_key: e.commit_key, salt: e.salt, id: e.subject,
  text: e.text, event: e.event, tags: e.tags, predicate: e.predicate
})
