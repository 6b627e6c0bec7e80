/** Directories: a person types the name and the password of the directory into our own form. */
import type { LdapSettings } from '../config/ldap-upstream.ts'
import type { Deadline } from '../http/outbound.ts'
import { ownerLimits } from '../owners/limits.ts'
import {
  createDirectory,
  type DirectoryConnection,
  type DirectoryEntry,
  makeFilter,
} from './directory.ts'
import { upstreamLimits } from './limits.ts'
import { isLocked, lockAttributes } from './locked.ts'
import { mapRights, noRights } from './mapped.ts'
import {
  mapClaims,
  type PasswordUpstream,
  type SubjectsThere,
  UpstreamFault,
  type UpstreamPerson,
} from './upstream.ts'

/** RFC 4515 section 3: these would change the filter. */
const escapeText = (text: string): string =>
  text.replace(
    /[\\*()\0]/g,
    (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )

/**
 * Directories ignore invisible characters when they compare, and nobody types them. Both would give
 * one person many names, each with tries of its own.
 */
const isTypeable = (username: string): boolean =>
  username.length <= ownerLimits.usernameCharacters &&
  username.trim() !== '' &&
  /^[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]*$/u.test(username)

const readText = (entry: DirectoryEntry, attribute: string): string => {
  const [value] = entry.values(attribute)
  return value === undefined ? '' : Buffer.from(value).toString()
}

/** Ids of Active Directory are bytes, and written in hexadecimal digits. */
const readSubjects = (entry: DirectoryEntry, attribute: string): readonly string[] =>
  entry.values(attribute).flatMap((value) => {
    const text = Buffer.from(value).toString('latin1')
    const subject = /^[\x21-\x7e]+$/.test(text) ? text : `hex:${Buffer.from(value).toString('hex')}`
    return subject.length <= upstreamLimits.subjectCharacters && value.length > 0 ? subject : []
  })

/** Empty for an entry without an id, or with several. */
const readSubject = (entry: DirectoryEntry, attribute: string): string => {
  const [subject = ''] = readSubjects(entry, attribute)
  return entry.values(attribute).length === 1 ? subject : ''
}

/** The value of the attribute that `readSubjects` read. */
const writeSubject = (subject: string): Buffer =>
  /^hex:(?:[0-9a-f]{2})+$/.test(subject)
    ? Buffer.from(subject.slice('hex:'.length), 'hex')
    : Buffer.from(subject)

/** @param there entries that are not disabled */
const sortSubjects = (
  there: readonly DirectoryEntry[],
  attribute: string,
  asked: readonly string[],
): SubjectsThere => {
  const makeSet = (subjects: readonly string[]) =>
    new Set(subjects.map((subject) => subject.toLowerCase()))
  const odd = there.filter((entry) => readSubject(entry, attribute) === '')
  const undecided = odd.flatMap((entry) => {
    const several = readSubjects(entry, attribute)
    return several.length === 0 ? asked : several
  })
  const active = there.map((entry) => readSubject(entry, attribute)).filter((one) => one !== '')
  return { active: makeSet(active), undecided: makeSet(undecided) }
}

/** Finds those of some people whom the directory still lets in. */
const openFindActive =
  (
    directory: ReturnType<typeof createDirectory>,
    people: string,
    attribute: string,
  ): NonNullable<PasswordUpstream['findActive']> =>
  (subjects, at) =>
    directory.ask(async (connection) => {
      // Everybody whom the directory lets in, of these subjects.
      const asked = await makeFilter(people, attribute, subjects.map(writeSubject))
      const entries = await connection.list(asked, lockAttributes)
      const there = entries.filter((entry) => !isLocked((name) => readText(entry, name), at))
      return sortSubjects(there, attribute, subjects)
    })

export const openLdap = (settings: LdapSettings, deadline: Deadline): PasswordUpstream => {
  const { id, baseDn, filter, peopleFilter, attributes, groups } = settings
  const directory = createDirectory(settings, deadline)
  /** No entry has this name: binding to it takes the place of binding to one that is not there. */
  const nobody = `cn=latchkey-no-such-entry,${baseDn}`

  /** Null for none, and for several. */
  const findEntry = async (
    connection: DirectoryConnection,
    username: string,
  ): Promise<DirectoryEntry | null> => {
    const name = escapeText(username.trim())
    const entries = await connection.search(filter.replaceAll('{username}', () => name))
    const [entry] = entries
    return entries.length === 1 && entry !== undefined ? entry : null
  }

  const accountOf = (entry: DirectoryEntry) => {
    const subject = readSubject(entry, attributes.id)
    // Hosts of a directory come and go, and its tree stays.
    return subject === '' ? null : { upstream: id, issuer: baseDn, subject }
  }

  const personOf = (entry: DirectoryEntry): UpstreamPerson | UpstreamFault => {
    const account = accountOf(entry)
    if (account === null) return new UpstreamFault('wrong', `directory: no ${attributes.id}`)
    const claims = mapClaims({
      preferred_username: readText(entry, attributes.username),
      name: readText(entry, attributes.name),
      email: readText(entry, attributes.email),
      email_verified: true,
    })
    const login = { methods: ['pwd' as const], isStrong: false, authTime: null, isFresh: true }
    const texts = groups && entry.values(groups.from).map((value) => Buffer.from(value).toString())
    const mapped = groups === null ? noRights : mapRights(texts, groups)
    return { account, ...login, picture: '', mapped, findClaims: async () => claims }
  }

  return {
    by: 'password',
    async find(username) {
      if (!isTypeable(username)) return null
      return directory.ask(async (connection) => {
        const entry = await findEntry(connection, username)
        return entry && accountOf(entry)
      })
    },
    async check(username, password) {
      const fits = isTypeable(username) && Buffer.byteLength(password) <= ownerLimits.passwordBytes
      if (!fits || password === '') return null
      return directory.ask(async (connection) => {
        const entry = await findEntry(connection, username)
        const isRight = await connection.bind(entry?.dn ?? nobody, password)
        return entry !== null && isRight ? personOf(entry) : null
      })
    },
    findActive:
      peopleFilter === null ? null : openFindActive(directory, peopleFilter, attributes.id),
    close: directory.close,
  }
}
