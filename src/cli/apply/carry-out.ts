/** Carries a plan out, item by item. Where an item changed since the plan read it, nothing of it is written. */
import type { JsonRow } from '../../operations/surface/said.ts'
import { type AdminApi, ApiFault, joinPath } from '../api.ts'
import { pickDiffering } from './difference.ts'
import type { Plan, PlannedChange } from './plan.ts'

export interface CarriedOut {
  readonly change: PlannedChange
  readonly outcome: 'done' | 'refused' | 'not tried'
  /** Why, or what the operator has to know of it. */
  readonly reason: string | null
}

/** The item as the last step left it. */
interface CarriedItem extends Omit<CarriedOut, 'change'> {
  readonly item: JsonRow | null
}

/** The service did not say what it did, so nothing goes on. */
const isUnclear = ({ status }: ApiFault): boolean => status === null || status >= 500

const sayFault = (fault: ApiFault): string => {
  if (fault.status === 412) return 'somebody changed it meanwhile: look at it, and run this again'
  return isUnclear(fault) ? `${fault.message}: run this again, and it goes on` : fault.message
}

/** Values of which the service keeps another form would differ in each run. */
const sayKept = (written: JsonRow, item: JsonRow): string | null => {
  const names = Object.keys(pickDiffering(item, written))
  if (names.length === 0) return null
  return `the service keeps ${names.join(', ')} otherwise: latchkey export --apply says how`
}

const write = async (
  api: AdminApi,
  { kind, id, secret }: PlannedChange,
  members: JsonRow,
  seen: JsonRow | null,
): Promise<JsonRow> => {
  if (seen !== null) return api.ask('PATCH', joinPath(kind.name, id), members, seen)
  const given = secret === null ? members : { ...members, client_secret: secret }
  // Nobody has to see a secret that the service made.
  const {
    client_secret: _,
    client_secret_expires_at: __,
    ...item
  } = await api.ask('POST', kind.name, given)
  return item
}

/** One half of a change: the members that later kinds may be named in, or the others. */
const pickHalf = ({ kind, members }: PlannedChange, isLater: boolean): JsonRow =>
  Object.fromEntries(
    Object.entries(members).filter(([name]) => kind.later.includes(name) === isLater),
  )

/** A service without `If-Match` would overwrite changes of others. @throws ApiFault */
const checkService = async (api: AdminApi, changes: Plan['changes']): Promise<void> => {
  for (const { kind, id } of changes.filter(({ seen }) => seen !== null)) {
    const compares = await api.comparesState(joinPath(kind.name, id))
    if (compares === true) return
    // A subject that is gone proves nothing, and nobody can write to it.
    if (compares === null) continue
    const said = 'the service does not compare what was seen (If-Match), so nothing was written'
    throw new ApiFault(`${said}: upgrade it, or take what stands between`)
  }
}

/**
 * @returns one outcome for each change, in their order
 * @throws ApiFault before the first write, if the service does not compare states
 */
export const carryOut = async (
  api: AdminApi,
  { changes }: Pick<Plan, 'changes'>,
): Promise<readonly CarriedOut[]> => {
  await checkService(api, changes)
  const carried = new Map<PlannedChange, CarriedItem>()
  let isOver = false
  const attempt = async (
    change: PlannedChange,
    work: () => Promise<Pick<CarriedItem, 'item' | 'reason'>>,
  ): Promise<void> => {
    if (isOver) return
    try {
      carried.set(change, { outcome: 'done', ...(await work()) })
    } catch (fault) {
      if (!(fault instanceof ApiFault)) throw fault
      isOver = isUnclear(fault)
      const half = carried.get(change)?.outcome === 'done' ? 'a part of it is written; then ' : ''
      carried.set(change, { outcome: 'refused', reason: half + sayFault(fault), item: null })
    }
  }
  const writeHalf = async (change: PlannedChange, isLater: boolean): Promise<void> => {
    const { item: seen = change.seen, outcome, reason } = carried.get(change) ?? {}
    const members = pickHalf(change, isLater)
    const isNothing = Object.keys(members).length === 0 && (isLater || seen !== null)
    if (isNothing || outcome === 'refused') return
    await attempt(change, async () => {
      const item = await write(api, change, members, seen)
      return { item, reason: reason ?? sayKept(members, item) }
    })
  }
  const written = changes.filter(({ action }) => action !== 'delete')
  for (const isLater of [false, true]) {
    for (const change of written) await writeHalf(change, isLater)
  }
  for (const change of changes.filter(({ action }) => action === 'delete')) {
    const { kind, id, seen } = change
    await attempt(change, async () => {
      try {
        await api.ask('DELETE', joinPath(kind.name, id), undefined, seen ?? {})
      } catch (fault) {
        // Somebody else was faster.
        if (!(fault instanceof ApiFault) || fault.status !== 404) throw fault
      }
      return { item: null, reason: null }
    })
  }
  return changes.map((change) => {
    const { outcome = 'not tried', reason = null } = carried.get(change) ?? {}
    return { change, outcome, reason }
  })
}
