// Take away the relations that memories asserted.
// $edges: source, target and memory of each
UNWIND $edges AS edge
MATCH (source:Entity {id: edge.source})-[r:RELATES {memory: edge.memory}]->(target:Entity {id: edge.target})
DELETE r
