// Project memories that had no state yet.
// $states: all the properties of each
UNWIND $states AS state
MATCH (m:Memory {id: state.memory})
CREATE (s:State)-[:OF]->(m)
SET s = state
