/** Resources. A deleted one keeps its row, so that its name is not used again. */

const resources = `create table resources (
  name text not null primary key,
  position bigint not null,
  uri text,
  details text not null,
  revision bigint not null,
  deleted_at bigint
)`

/** The resource of the row has the URI: the primary key keeps others from it. */
const resourceUris = `create table resource_uris (
  uri text not null primary key,
  name text not null
)`

export const resourceTables: readonly string[] = [resources, resourceUris]
