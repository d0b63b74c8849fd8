// Take states off the entities that their memories were about.
// $memories: ids of memories
UNWIND $memories AS id
MATCH (s:State {memory: id})-[a:ABOUT]->(:Entity)
DELETE a
