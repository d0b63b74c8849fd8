// Take states off all entities. They are collected first: an engine may stumble over a link it has just removed.
// $memories: ids of memories
UNWIND $memories AS id
MATCH (s:State {memory: id})-[link:ABOUT|SUBJECT|OBJECT]->(:Entity)
WITH collect(link) AS links
UNWIND links AS link
DELETE link
