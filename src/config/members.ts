/** Reads a list of objects in the settings: the members of each object, with their rules. */
import { resolve } from 'node:path'
import { isObject, parseJson } from '../model/json.ts'
import type { Text } from '../model/language.ts'
import { isSafe } from './issuer.ts'
import { findNearest } from './nearest.ts'
import { findRepeated, type Parse, type Parsed, readContent } from './values.ts'

/** Goes on after the subject: `needs a "client_id"`. The message never shows a secret. */
export class MemberFault extends Error {
  /** Whether the form is wrong, or what it names cannot be had. */
  readonly kind: 'malformed' | 'unusable'

  constructor(says: string, kind: MemberFault['kind'] = 'malformed') {
    super(says)
    this.kind = kind
  }
}

/** @param expected the sentence that the message of a fault completes */
export const catchFault = <Value>(expected: string, read: () => Value): Parsed<Value> => {
  try {
    return { value: read() }
  } catch (fault) {
    if (fault instanceof MemberFault) return { expected: `${expected} ${fault.message}` }
    throw fault
  }
}

/** Reads each entry of a list. A fault names the entry. */
export const readEach = <Entry>(
  list: readonly unknown[],
  read: (one: unknown) => Entry,
): readonly Entry[] =>
  list.map((one, index) => {
    const entry = catchFault(`entry ${index + 1}`, () => read(one))
    if ('value' in entry) return entry.value
    throw new MemberFault(entry.expected)
  })

/** What every upstream has. */
export interface UpstreamCommon {
  readonly id: string
  /** On the button. */
  readonly title: Text
  /** What it says of an email address counts. */
  readonly trustEmail: boolean
  /** Its people may make accounts here, whatever the setting `signUp` says. */
  readonly signUp: boolean
  /** Whether a new owner has the username from there, or the same with digits behind it. */
  readonly username: 'keep' | 'suffix'
  /** Who links an account there to an owner: its owner, a confirmed address, or the operator alone. */
  readonly link: 'owner' | 'verified_email' | 'operator'
}

const refuseUnknown = (given: object, known: ReadonlySet<string>): void => {
  const unknown = Object.keys(given).find((name) => !known.has(name))
  if (unknown === undefined) return
  if (!/^\w{1,40}$/.test(unknown)) throw new MemberFault('has an unknown member')
  const meant = findNearest(unknown, [...known])
  const hint = meant === null ? '' : `; did you mean "${meant}"?`
  throw new MemberFault(`has an unknown member "${unknown}"${hint}`)
}

/** @param cwd what relative paths start from */
const makeMembers = (given: Readonly<Record<string, unknown>>, cwd: string) => {
  const known = new Set<string>()
  const find = (name: string): unknown => {
    known.add(name)
    return given[name]
  }
  const optionalText = (name: string): string | null => {
    const value = find(name)
    if (value === undefined || value === null) return null
    if (typeof value === 'string' && value !== '' && value.length <= 2000) return value
    throw new MemberFault(`needs a text as "${name}"`)
  }
  /** @param otherwise without one, the member has to be there */
  const text = (name: string, otherwise?: string): string => {
    const value = optionalText(name) ?? otherwise
    if (value !== undefined) return value
    throw new MemberFault(`needs ${/^[aeio]/.test(name) ? 'an' : 'a'} "${name}"`)
  }
  return {
    /** The `id`: lower-case letters, digits and `-`, at most so many. */
    id(most: number): string {
      const value = text('id')
      if (value.length <= most && /^[a-z][a-z0-9-]*$/.test(value)) return value
      throw new MemberFault(`needs an "id" of at most ${most} lower-case letters, digits and "-"`)
    },
    text,
    /** One of a few words; the first is the default. */
    choice<const Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word {
      const value = text(name, words[0])
      const word = words.find((one) => one === value)
      if (word !== undefined) return word
      throw new MemberFault(`needs one of ${words.join(', ')} as "${name}"`)
    },
    /** Anything else: whoever reads it checks it. */
    other: find,
    has: (name: string): boolean => (find(name) ?? null) !== null,
    flag(name: string, otherwise = false): boolean {
      const value = find(name) ?? otherwise
      if (typeof value === 'boolean') return value
      throw new MemberFault(`needs true or false as "${name}"`)
    },
    /** An https URL, or an http one on a loopback address. */
    url(name: string): string {
      const value = text(name)
      const url = URL.parse(value)
      if (isSafe(url) && url.username + url.password + url.hash === '') return value
      throw new MemberFault(
        `needs an https URL (or an http one on a loopback address) as "${name}"`,
      )
    },
    /** The `scope` of OAuth 2.0 (RFC 6749 section 3.3). */
    scope(otherwise?: string): string {
      const scope = text('scope', otherwise)
      if (/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(scope)) return scope
      throw new MemberFault('needs names separated by single spaces as "scope"')
    },
    /** A secret: its value, or by `NAME_file` the path of a file; null without either. */
    secret(name: string): string | null {
      const [value, path] = [optionalText(name), optionalText(`${name}_file`)]
      if (path === null) return value
      if (value !== null) throw new MemberFault(`has both "${name}" and "${name}_file"`)
      const content = readContent(resolve(cwd, path))
      if (content !== null) return content
      throw new MemberFault(`has a "${name}_file" that cannot be read`)
    },
    /** Refuses members that nobody has read. */
    end: (): void => refuseUnknown(given, known),
  }
}

export type GivenMembers = ReturnType<typeof makeMembers>

/**
 * Reads one object, and refuses members that nobody has read.
 *
 * @param cwd what relative paths start from
 * @throws MemberFault
 */
export const readMembers = <Entry>(
  given: unknown,
  cwd: string,
  read: (members: GivenMembers) => Entry,
): Entry => {
  if (!isObject(given)) throw new MemberFault('must be an object')
  const members = makeMembers(given, cwd)
  const entry = read(members)
  members.end()
  return entry
}

/** The list of one setting: its name, and what each entry needs. */
interface MemberList<Entry> {
  readonly called: string
  readonly most: number
  /** Such as `"id" and "url"`. */
  readonly needed: string
  /** The fault of an id of two entries. */
  twice(id: string): string
  read(members: GivenMembers): Entry
}

export const parseMemberList =
  <Entry extends { readonly id: string }>({
    called,
    most,
    needed,
    twice,
    read,
  }: MemberList<Entry>): Parse<readonly Entry[]> =>
  (given, cwd) => {
    // The environment gives a list as JSON.
    const list = typeof given === 'string' ? parseJson(given) : given
    const expected = `a list of at most ${most} ${called}`
    if (!Array.isArray(list) || list.length > most) {
      const json = list === undefined ? 'JSON that can be read, with ' : ''
      return { expected: `${json}${expected}, each with ${needed}` }
    }
    const parsed = catchFault(`${expected}, but`, () =>
      readEach(list, (one) => readMembers(one, cwd, read)),
    )
    const ids = 'value' in parsed ? parsed.value.map(({ id }) => id) : []
    const again = findRepeated(ids)
    return again === undefined ? parsed : { expected: `${expected}, ${twice(again)}` }
  }
