/** Forms of the console act by the rows of operations, as the admin API and the command line do. */
import { adminPermissions } from '../../model/resource.ts'
import type { Operation } from '../../operations/operation.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import type { ConsoleVisit } from './visit.ts'

interface Performed {
  readonly operation: Operation
  /** The body, as the admin API takes it. */
  readonly given?: Readonly<Record<string, unknown>>
  /** The name in the path of the admin API, for a page with another path. */
  readonly id?: string
  /** The subject as the form was compared with it. */
  readonly found?: object
}

/** An operator of the console may do everything. */
const operator = { permissions: adminPermissions }

/** The answer of the operation, by its members. */
export const perform = async (
  visit: ConsoleVisit,
  { operation, given = {}, id, found }: Performed,
  parts: ServiceParts,
): Promise<Readonly<Record<string, unknown>>> => {
  const exchange = id === undefined ? visit : { ...visit, params: { id } }
  const asked = { exchange, operator, given, ...(found === undefined ? {} : { found }) }
  return { ...(await operation.perform(asked, parts)) }
}

/** The same; null where the subject of the page has gone meanwhile. */
export const performUnlessGone = (
  ...asked: Parameters<typeof perform>
): Promise<Readonly<Record<string, unknown>> | null> =>
  perform(...asked).catch((fault: unknown) => {
    if (fault instanceof Refusal && fault.code === 'not_found') return null
    throw fault
  })
