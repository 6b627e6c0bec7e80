/** Lists of clients in the order of their ids, with the filters of the console. */
import type { Client } from '../../../model/client.ts'
import type { ClientListFilter } from '../../contract/client.ts'
import {
  type Clause,
  limited,
  orderOf,
  paramsOf,
  rangeOf,
  stretchOf,
  whereOf,
} from '../../sql/filter.ts'
import { pageOf } from '../../sql/page.ts'
import type { Read } from '../../sql/statement.ts'
import type { Page } from '../../store.ts'
import { decodeClient } from './clients.ts'

/** Whether the JSON has this text. Inside of its strings, quotation marks are escaped. */
const holds = (json: string): string => `replace(details, '${json}', '') <> details`

const broughtBy = `case when ${holds('"document":{')} then 'document'
  when ${holds('"registeredBy":"itself"')} then 'itself' else 'operator' end`

const clausesOf = ({ broughtBy: by, disabled }: ClientListFilter): readonly Clause[] => [
  ...(by === undefined ? [] : [[`${broughtBy} = ?`, by] as const]),
  ...(disabled === undefined ? [] : [['disabled = ?', Number(disabled)] as const]),
]

export const listClients = async (
  read: Read,
  after: string | null,
  limit: number,
  of: ClientListFilter = {},
): Promise<Page<Client>> => {
  const clauses = clausesOf(of)
  const whole = stretchOf([], 'asc', after)
  const stretch = clauses.length === 0 ? whole : await limited(read, 'clients', whole, limit)
  const all = [rangeOf(stretch), ['deleted_at is null'] as const, ...clauses]
  const sql = `select * from clients where ${whereOf(all)} ${orderOf(stretch)} limit ?`
  const rows = await read(sql, [...paramsOf(all), limit + 1])
  return pageOf(rows, limit, decodeClient, ({ id }) => id, stretch.stop)
}
