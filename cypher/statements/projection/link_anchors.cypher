// Link states to the entities that their memories are about.
// $links: the memory and the entity
UNWIND $links AS link
MATCH (s:State {memory: link.memory})
MATCH (e:Entity {id: link.entity})
CREATE (s)-[:ABOUT]->(e)
