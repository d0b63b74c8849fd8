// Record that a migration was applied.
// $number: its number
// $name: its name
// $digest: SHA-256 of its file
MERGE (step:Schema {number: $number})
SET step.name = $name, step.digest = $digest
