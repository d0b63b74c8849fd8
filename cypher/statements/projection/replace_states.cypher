// Project memories anew whose state changed.
// $states: all the properties of each
UNWIND $states AS state
MATCH (s:State {memory: state.memory})
SET s = state
