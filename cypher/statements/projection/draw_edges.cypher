// Draw the relations between entities that memories assert.
// $edges: source, target and the properties of each
UNWIND $edges AS edge
MATCH (source:Entity {id: edge.source})
MATCH (target:Entity {id: edge.target})
CREATE (source)-[r:RELATES]->(target)
SET r = edge.properties
