// The present heads of the chains that some memories belong to.
// $memories: their ids
UNWIND $memories AS id
MATCH (s:State {memory: id})
RETURN s.memory AS memory, s.head AS head
ORDER BY memory
