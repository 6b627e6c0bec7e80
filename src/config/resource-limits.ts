/** Limits of resources. A token states the permissions it carries, so there are not too many of them. */
export const resourceLimits = {
  /** Resources of one service, deleted ones apart. */
  resources: 40,
  nameCharacters: 40,
  /** A title, or what one permission means. */
  textCharacters: 300,
  /** Actions of a resource beside `read` and `write`. */
  actions: 20,
  actionCharacters: 40,
  uriCharacters: 512,
  introspectionClients: 20,
  /** Every node reads the resources so often, and a turn of its housekeeping comes each second. */
  reloadSeconds: 4,
} as const
