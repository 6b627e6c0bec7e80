/** Whether a client is for an owner. Each step that lets a client act for an owner has this condition. */
import { raw } from '../../sql/statement.ts'

/** Names are compared with a line break on both sides, since no name has one. */
export const formatNames = (names: readonly string[] = []): string =>
  names.length === 0 ? '' : `\n${names.join('\n')}\n`

/** A client `c` that names no groups, or one of the groups of an owner `o`. */
export const clientFor = `(c.allowed_groups = '' or exists (select 1
  from group_members gm join groups gr on gr.id = gm.group_id
  where gm.owner_id = o.id and replace(c.allowed_groups, '\n' || gr.name || '\n', '') <> c.allowed_groups))`

/** The same, as a part of a statement. */
export const matchClientFor = raw(clientFor)
