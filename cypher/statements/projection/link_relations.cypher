// Link states to the two entities between which their memories assert a relation.
// $links: memory, source and target of each
UNWIND $links AS link
MATCH (s:State {memory: link.memory})
MATCH (source:Entity {id: link.source})
MATCH (target:Entity {id: link.target})
CREATE (source)<-[:SUBJECT]-(s)-[:OBJECT]->(target)
