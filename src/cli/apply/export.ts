/** `latchkey export --apply`: the state of today as a file of `latchkey apply`. */
import type { JsonRow } from '../../operations/surface/said.ts'
import type { AdminApi } from '../api.ts'
import { type ApplyKind, applyKinds, mayAdminister } from './kinds.ts'
import { needsSecret, pickWritten } from './plan.ts'

/** The name of a variable that no other client has. */
const makeVariable = (id: string, taken: Set<string>): string => {
  const name = `SECRET_${id
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .slice(0, 60)}`
  let free = name
  for (let i = 2; taken.has(free); i++) free = `${name}_${i}`
  taken.add(free)
  return free
}

/** JSON in one line is YAML as well. */
const writeItem = (members: JsonRow): string =>
  Object.entries(members)
    .map(([name, value], i) => `${i === 0 ? '  - ' : '    '}${name}: ${JSON.stringify(value)}`)
    .join('\n')

const writeKind = async (kind: ApplyKind, api: AdminApi, taken: Set<string>): Promise<string> => {
  const all = await api.list(kind.name, {})
  const own = all.filter((item) => kind.isForeign(item) === null)
  const items = own
    .toSorted((a, b) => (String(a[kind.id]) < String(b[kind.id]) ? -1 : 1))
    .map((item) => {
      const { [kind.id]: id, ...others } = pickWritten(kind, item)
      const written = writeItem({ [kind.id]: id, ...others })
      if (kind.name !== 'clients' || !needsSecret(item)) return written
      if (mayAdminister(item)) return `${written}\n    # latchkey client add makes a new one.`
      const variable = makeVariable(String(id), taken)
      return `${written}\n    # Only a new client needs it.\n    client_secret: { env: ${variable} }`
    })
  return items.length === 0 ? `${kind.name}: []` : `${kind.name}:\n${items.join('\n')}`
}

/** In a stable order, and without secrets. Clients that registered themselves are left out. */
export const writeState = async (api: AdminApi): Promise<string> => {
  const taken = new Set<string>()
  const parts: string[] = ['# Written by latchkey export --apply, for latchkey apply.']
  for (const kind of applyKinds) parts.push(await writeKind(kind, api, taken))
  return parts.join('\n\n')
}
