/** A user in SCIM's form, and what a request makes of it (RFC 7643 section 4.1). */

import { hashText } from '../../crypto/digest.ts'
import { isObject } from '../../model/json.ts'
import type { Owner, OwnerClaims } from '../../model/owner.ts'
import { ownerForms } from '../../owners/registration.ts'
import { parseMembers } from '../../protocol/members.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { scimApi } from './api.ts'
import type { ScimMembership, ScimUser, ScimUserChange } from './contract.ts'
import { badValue, readWord } from './errors.ts'
import { scimLimits } from './limits.ts'
import type { ScimMembers } from './members.ts'
import { readList, readParts } from './patch.ts'
import { findAttribute, userKind } from './schema.ts'
import { describeShown } from './seen.ts'

/** The claim behind each attribute. */
const claimsOfName = {
  givenName: 'given_name',
  familyName: 'family_name',
  middleName: 'middle_name',
} as const
const claimsOfUser = { nickName: 'nickname', locale: 'locale' } as const

export const formatTime = (at: number): string => new Date(at * 1000).toISOString()

export const makeLocation = (issuer: string, endpoint: string, id: string): string =>
  `${issuer}${scimApi.path}${endpoint}/${encodeURIComponent(id)}`

/** Attributes without a value are left out. */
export const dropEmpty = (members: ScimMembers): ScimMembers =>
  Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) =>
        value !== undefined &&
        value !== '' &&
        !(isObject(value) && Object.keys(value).length === 0) &&
        !(Array.isArray(value) && value.length === 0),
    ),
  )

export const getUserVersion = (user: ScimUser): string => hashText(describeShown(user)).slice(0, 22)

const pickClaims = (
  claims: OwnerClaims,
  names: Readonly<Record<string, keyof OwnerClaims>>,
): ScimMembers =>
  Object.fromEntries(Object.entries(names).map(([name, claim]) => [name, claims[claim]]))

/** @param groups null: the answer has none */
export const describeUser = (
  user: ScimUser,
  groups: readonly ScimMembership[] | null,
  issuer: string,
): ScimMembers => {
  const { owner, externalId, formatted, changedAt } = user
  const { id, username, name, email, claims, disabled, createdAt, updatedAt } = owner
  return {
    schemas: [userKind.schema],
    id,
    ...dropEmpty({
      externalId,
      userName: username,
      name: dropEmpty({ formatted, ...pickClaims(claims, claimsOfName) }),
      displayName: name,
      ...pickClaims(claims, claimsOfUser),
      active: !disabled,
      emails: email === '' ? [] : [{ value: email, type: 'work', primary: true }],
      groups: (groups ?? []).map(({ groupId, groupName }) => ({
        value: groupId,
        $ref: makeLocation(issuer, '/Groups', groupId),
        display: groupName,
      })),
    }),
    meta: {
      resourceType: userKind.name,
      created: formatTime(createdAt),
      lastModified: formatTime(Math.max(changedAt, updatedAt)),
      location: makeLocation(issuer, userKind.endpoint, id),
      version: `W/"${getUserVersion(user)}"`,
    },
  }
}

/** @throws Refusal `invalidValue` */
export const readText = (given: unknown, name: string, most: number): string => {
  if (given === undefined || given === null) return ''
  const isGood = typeof given === 'string' && given.length <= most && !/[\p{Cc}\p{Cs}]/u.test(given)
  if (isGood) return given.normalize('NFC')
  throw badValue(`${name} has to be text of at most ${most} characters without control characters`)
}

/** Some directories write a boolean as a text. */
const readFlag = (given: unknown, name: string): boolean => {
  const word = typeof given === 'object' ? '' : readWord(given, name)?.toLowerCase()
  if (word === 'true' || word === 'false') return word === 'true'
  throw badValue(`${name} has to be true or false`)
}

/** The address to keep: the primary one, or else the one for work, or else the first. */
const pickEmail = (given: unknown): unknown => {
  const attribute = findAttribute('emails', userKind.attributes)
  const listed = attribute === undefined ? [] : readList(given, attribute)
  const filled = listed.filter(({ value }) => value !== undefined && value !== '')
  const primary = filled.find(
    (one) => one.primary !== undefined && readFlag(one.primary, 'primary'),
  )
  return (primary ?? filled.find(({ type }) => type === 'work') ?? filled[0])?.value ?? ''
}

/** The names of SCIM for members of owners, for whoever reads a refusal. */
const called: Readonly<Record<string, string>> = {
  username: 'userName',
  name: 'displayName',
  email: 'emails',
  claims: 'name, nickName and locale are among claims, and claims',
}

/** @throws Refusal `invalidValue` in the names of SCIM */
const checkOwner = (
  members: ScimMembers,
): Pick<Owner, 'username' | 'name' | 'email' | 'claims'> => {
  try {
    const said = parseMembers(ownerForms().creation, members, () => 'invalid_request')
    const { username, name = '', email = '', claims = {} } = said
    return { username, name, email, claims }
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    const [member = ''] = fault.description.split(' ')
    throw badValue((called[member] ?? member) + fault.description.slice(member.length))
  }
}

/** The claims of before, with those that a resource has. */
const readClaims = (
  given: ScimMembers,
  names: Readonly<Record<string, keyof OwnerClaims>>,
): Partial<Record<keyof OwnerClaims, unknown>> =>
  Object.fromEntries(
    Object.entries(names).map(([name, claim]) => [claim, given[name] ?? undefined]),
  )

/** A resource as it will be: all of a user that can be changed. @throws Refusal `invalidValue` */
export const parseUser = (resource: ScimMembers, before: Owner | null) => {
  const nameAttribute = findAttribute('name', userKind.attributes)
  const name =
    resource.name === undefined || nameAttribute === undefined
      ? {}
      : readParts(resource.name, nameAttribute)
  const formatted = readText(name.formatted, 'name.formatted', scimLimits.formattedCharacters)
  const parts = [name.givenName, name.familyName].filter((one) => typeof one === 'string')
  const owner = checkOwner({
    username: resource.userName ?? '',
    name: resource.displayName ?? (formatted || parts.join(' ')),
    email: pickEmail(resource.emails),
    claims: {
      ...before?.claims,
      ...readClaims(name, claimsOfName),
      ...readClaims(resource, claimsOfUser),
    },
  })
  return {
    ...owner,
    formatted,
    externalId: readText(resource.externalId, 'externalId', scimLimits.externalIdCharacters),
    // A request that does not say it lets nobody in or out.
    disabled:
      resource.active === undefined
        ? (before?.disabled ?? false)
        : !readFlag(resource.active, 'active'),
  }
}

/** The members that differ. */
export const listUserChange = (
  { owner, ...note }: ScimUser,
  after: ReturnType<typeof parseUser>,
): ScimUserChange => {
  const before: ScimMembers = { ...owner, ...note }
  const sorted = (value: unknown) =>
    JSON.stringify(isObject(value) ? Object.entries(value).sort() : value)
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => sorted(before[name]) !== sorted(value)),
  )
}
