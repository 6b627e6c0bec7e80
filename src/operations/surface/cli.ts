/** How the row of an operation says its commands: the words that are typed, the request, and the words of the answer. */
import { UsageFault } from '../../config/remote.ts'
import { isObject, parseJson } from '../../model/json.ts'
import type { JsonRow } from './said.ts'

/** How a flag is written, its meaning, and whether the command needs it. */
export type CommandFlag = readonly [written: string, meaning: string, need?: 'needed']

/** What an answer is told of. */
interface ToldAnswer {
  /** The first argument, as it was typed. */
  readonly name: string
  /** The subject as it was before, for owners and where the command looks first. */
  readonly found: JsonRow
  readonly json: JsonRow
}

/** How a list is said. */
interface SaidList {
  /** Names of the columns: members, unless `cells` says otherwise. */
  readonly head?: readonly string[]
  readonly cells?: (row: JsonRow) => readonly string[]
  readonly empty: string
  /** So many rows at most, unless `--limit` says otherwise. */
  readonly most?: number
}

export interface CommandRow {
  /** As it is typed: `client end-tokens <id>`. */
  readonly usage: string
  readonly does: string
  /** Command lines that work as they stand. */
  readonly examples: readonly string[]
  readonly flags?: readonly CommandFlag[]
  /** May come before the first start. */
  readonly first?: true
  /** Standard input holds it, never an argument: `ps` would show that. */
  readonly reads?: 'password' | 'password if asked' | 'token'
  /** The first argument as the service knows it, where people type it otherwise. */
  readonly typed?: (name: string) => string
  /** The body of the request. @throws UsageFault */
  readonly body?: (flags: JsonRow, names: readonly string[]) => object
  /** Refuses flags that do not go together. @throws UsageFault */
  readonly check?: (flags: JsonRow) => void
  /** Reads the subject before the request. */
  readonly looksFirst?: true
  /** Says in one sentence what goes, and asks whether it may. */
  readonly confirm?: (told: Pick<ToldAnswer, 'name' | 'found'>) => string
  /** Words for a refusal of the admin API, by its code; a subject that is unknown has some. */
  readonly faults?: Readonly<Record<string, (name: string, flags: JsonRow) => string>>
  readonly list?: SaidList
  /** For `--json`; the answer without. */
  readonly json?: (told: ToldAnswer) => JsonRow
  /** The words for people; the members of the answer without. */
  readonly text?: (told: ToldAnswer) => string
}

/** The words that name a command, without its arguments. */
export const getCommandName = ({ usage }: Pick<CommandRow, 'usage'>): string =>
  usage.replaceAll(/ <[^>]+>/g, '')

export const sinceFlag: CommandFlag = [
  '--since <time>',
  'from then on: 15m, 2h, 7d, unix seconds, or 2026-11-22T10:00:00Z',
]

export const untilFlag: CommandFlag = ['--until <time>', 'up to then, written like --since']

export const yes: CommandFlag = ['--yes', 'do it without asking']

/** The members that have a value. */
export const pickGivenMembers = (members: JsonRow): JsonRow =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

/** @throws UsageFault */
export const needMembers = (members: JsonRow): JsonRow => {
  if (Object.keys(members).length === 0) throw new UsageFault('name what to change: see --help')
  return members
}

/** A text that holds a JSON object. @throws UsageFault */
export const parseObject = (text: unknown, called: string): JsonRow => {
  const value = parseJson(String(text))
  if (isObject(value)) return value
  throw new UsageFault(`${called} has to be a JSON object`)
}

/** A whole number in digits. Any other text stays a text, and the rules of the admin API refuse it. */
export const readNumber = (text: unknown): unknown =>
  /^\d{1,15}$/.test(String(text)) ? Number(text) : text

/** A flag such as `name=value`, in its two halves. @throws UsageFault with `expected` */
export const parsePair = (text: string, expected: string): readonly [string, string] => {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageFault(`${expected}, not ${text}`)
  return [text.slice(0, at), text.slice(at + 1)]
}
