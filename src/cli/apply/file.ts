/** Reads a file of `latchkey apply`: YAML or JSON. Each fault names its line, and all are told at once. */
import { dirname } from 'node:path'
import type { z } from 'zod'
import { tellNearest } from '../../config/nearest.ts'
import { UsageFault } from '../../config/remote.ts'
import {
  parseSecretReference,
  type SecretSource,
  secretReferenceForm,
} from '../../config/secret-reference.ts'
import { settingKeys } from '../../config/settings.ts'
import { isObject } from '../../model/json.ts'
import type { JsonRow } from '../../operations/surface/said.ts'
import { makeSchema } from '../../protocol/schema.ts'
import { cliLimits } from '../limits.ts'
import { type ApplyKind, applyKinds } from './kinds.ts'
import { type FilePath, openFile, type ParsedFile } from './yaml.ts'

/** An item as it shall be. */
export interface WantedItem {
  readonly kind: ApplyKind
  readonly id: string
  readonly members: JsonRow
  /** Of a new client. */
  readonly secret: SecretSource | null
  /** Names it, or a member of it, in faults: `file.yaml:7: clients[0]`. */
  readonly locate: (member?: string) => string
}

export interface WantedState {
  /** The kinds that the file names. */
  readonly kinds: readonly ApplyKind[]
  readonly items: readonly WantedItem[]
}

/** Tells people where the thing is that they look for. */
const explainKey = (key: string): string => {
  const known = applyKinds.map(({ name }) => name)
  if (key === 'applications') return 'applications are called clients here'
  if (key === 'owners' || key === 'users') return 'people come by latchkey owner import'
  if (key === 'settings' || settingKeys.some((one) => one === key)) {
    return `${key} stand in the configuration file of the service, and count from its next start on`
  }
  return `the keys are ${known.join(', ')}${tellNearest(key, known)}`
}

const schemas = makeSchema((z) =>
  Object.fromEntries(applyKinds.map(({ name, form }) => [name, form.make(z) as z.ZodObject])),
)

const sayIssue = ({ path, code, message, ...issue }: z.core.$ZodIssue, schema?: z.ZodObject) => {
  const [member] = path
  if (code === 'unrecognized_keys' && 'keys' in issue) {
    const [key = ''] = issue.keys as readonly string[]
    return `${key} is unknown${tellNearest(key, Object.keys(schema?.shape ?? {}))}`
  }
  const expected = (schema?.shape[String(member)] as z.ZodType | undefined)?.description
  return `${path.join('.')} has to be ${expected ?? `otherwise: ${message}`}`
}

/** Why the members of a new item are not possible; null where they may be. */
export const findFormFault = ({ name }: ApplyKind, members: JsonRow): string | null => {
  const schema = schemas()[name]
  const [issue] = schema?.safeParse(members).error?.issues ?? []
  return issue === undefined ? null : sayIssue(issue, schema)
}

interface ReadPlace extends ParsedFile {
  readonly folder: string
  readonly tell: (path: FilePath, fault: string) => void
}

const readItem = (
  kind: ApplyKind,
  given: unknown,
  i: number,
  { folder, tell, locate }: ReadPlace,
): WantedItem | null => {
  const at: FilePath = [kind.name, i]
  const called = `${kind.name}[${i}]`
  if (!isObject(given)) {
    tell(at, `${called} has to be an object with the members of a ${kind.one}`)
    return null
  }
  const { client_secret: written, ...others } = given
  const isClient = kind.name === 'clients'
  const schema = schemas()[kind.name]
  const { data, error } = schema?.safeParse(isClient ? others : given) ?? {}
  for (const issue of error?.issues ?? []) {
    tell([...at, ...(issue.path as FilePath)], `${called} ${sayIssue(issue, schema)}`)
  }
  const id = data?.[kind.id]
  if (error === undefined && typeof id !== 'string') {
    tell(at, `${called} has to have ${kind.id}, which names the ${kind.one}`)
  }
  const secret = isClient && written !== undefined ? parseSecretReference(written, folder) : null
  if (isClient && written !== undefined && secret === null) {
    const said = `client_secret has to be ${secretReferenceForm}: no secret stands in this file`
    tell([...at, 'client_secret'], `${called} ${said}`)
  }
  if (typeof id !== 'string') return null
  const members = Object.entries(data ?? {}).filter(([, value]) => value !== undefined)
  const locateMember: WantedItem['locate'] = (member) =>
    `${locate(member === undefined ? at : [...at, member])}: ${called}`
  return { kind, id, members: Object.fromEntries(members), secret, locate: locateMember }
}

const readKind = (kind: ApplyKind, given: unknown, place: ReadPlace): readonly WantedItem[] => {
  if (!Array.isArray(given)) {
    place.tell([kind.name], `${kind.name} has to be a list`)
    return []
  }
  const ids = new Set<string>()
  return given.flatMap((one, i) => {
    const item = readItem(kind, one, i, place)
    if (item === null) return []
    if (ids.has(item.id)) {
      place.tell([kind.name, i], `${kind.name}[${i}] has the ${kind.id} of an item before it`)
    }
    ids.add(item.id)
    return [item]
  })
}

/** @throws UsageFault */
export const readApplyFile = async (path: string): Promise<WantedState> => {
  const file = await openFile(path)
  const { content, locate } = file
  const faults: string[] = []
  // Each line has to be looked for.
  const tell: ReadPlace['tell'] = (at, fault) => {
    if (faults.length < cliLimits.applyFile.faults) faults.push(`${locate(at)}: ${fault}`)
  }
  const given = isObject(content) ? content : {}
  const known = applyKinds.map(({ name }) => name)
  for (const key of Object.keys(given)) {
    if (!known.includes(key)) tell([key], `${key}: ${explainKey(key)}`)
  }
  const kinds = applyKinds.filter(({ name }) => Object.hasOwn(given, name))
  const place = { ...file, folder: dirname(path), tell }
  const items = kinds.flatMap((kind) => readKind(kind, given[kind.name], place))
  if (kinds.length === 0 && faults.length === 0) {
    faults.push(`${path} has to be an object with at least one of the keys ${known.join(', ')}`)
  }
  if (faults.length > 0) throw new UsageFault(faults.join('\n'))
  return { kinds, items }
}
