// Link contra-entries of this commit to what they supersede.
// $links: the memory and its target
UNWIND $links AS link
MATCH (m:Memory {id: link.memory})
MATCH (target:Memory {id: link.target})
CREATE (m)-[:SUPERSEDES]->(target)
