/** Roles of owners, and columns by which operators search events. */
export const consoleColumns = [
  "alter table owners add column roles text not null default ''",
  "create index owners_with_roles on owners (id) where roles > ''",
  // An operator acts rarely, so this index stays small.
  "alter table events add column operator text not null default ''",
  "create index events_of_operators on events (operator, id) where operator > ''",
  'create index events_by_type on events (type, id)',
]
