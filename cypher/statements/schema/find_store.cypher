// The store that this database belongs to; nothing in a new one.
MATCH (store:Store {key: 'store'})
RETURN store.name AS name
