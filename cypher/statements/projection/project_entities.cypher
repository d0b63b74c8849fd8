// Project entries of the registry.
// $entities: all the properties of each
UNWIND $entities AS entity
MERGE (e:Entity {id: entity.id})
SET e = entity
