// Append the verbatim words behind memories of this commit.
// $evidence: the memory and the words, speaker, source and time of each
UNWIND $evidence AS e
MATCH (m:Memory {id: e.memory})
CREATE (m)-[:HAS_EVIDENCE]->(v:Evidence {words: e.words, speaker: e.speaker, source: e.source, said_at: e.said_at})
