// Admit proposals again, as children that say the same.
// $children: id, parent, place, queue, by_grant and by_state of each
UNWIND $children AS c
MATCH (p:Proposal {id: c.parent})
CREATE (child:Proposal {
  id: c.id, parent: p.id, root: p.root, place: c.place, queue: c.queue, by_grant: c.by_grant,
  by_state: c.by_state, state: 'pending', attempts: 0, not_before: 0, action: p.action, payload: p.payload,
  submitted_at: p.submitted_at, grant: p.grant, grant_name: p.grant_name, grant_level: p.grant_level,
  grant_domains: p.grant_domains, language: p.language, proof: p.proof
})
