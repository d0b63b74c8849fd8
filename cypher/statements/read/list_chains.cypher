// The versions of the chains that some memories belong to.
// $ids: ids of any versions of them
// $limit: most versions
UNWIND $ids AS id
MATCH (one:State {memory: id})
WITH DISTINCT one.chain AS chain
MATCH (s:State {chain: chain})
RETURN s.memory AS memory
ORDER BY chain, s.position
LIMIT $limit
