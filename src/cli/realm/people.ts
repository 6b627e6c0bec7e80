/** People of a realm, as `latchkey owner import` takes them. */
import { decodeBase32, encodeBase32 } from '../../crypto/one-time-code.ts'
import { isObject, parseJson } from '../../model/json.ts'
import type { JsonRow } from '../../operations/surface/said.ts'
import type { ImportEntry } from '../people/batch.ts'
import type { Left } from './left.ts'
import { listObjects, listTexts, makeGroupName, readText } from './read.ts'

const parseObject = (given: unknown): JsonRow => {
  const value = typeof given === 'string' ? parseJson(given) : given
  return isObject(value) ? value : {}
}

/** Keycloak keeps the bytes of the secret as text, and newer versions also as base32. */
const readSeed = ({ secretData, credentialData }: JsonRow): string | null => {
  const { value } = parseObject(secretData)
  const { subType, digits, period, algorithm, secretEncoding } = parseObject(credentialData)
  const isOurs = subType === 'totp' && digits === 6 && period === 30 && algorithm === 'HmacSHA1'
  if (!isOurs || typeof value !== 'string') return null
  const bytes = secretEncoding === 'BASE32' ? decodeBase32(value) : Buffer.from(value)
  return bytes === null || bytes.length < 16 || bytes.length > 64 ? null : encodeBase32(bytes)
}

/** Their accounts are weaker here than there. */
export const lostFactor = 'second factors of another kind: their people log in without one'

const readCredentials = (given: unknown, username: string, left: Left): JsonRow => {
  const all = listObjects(given)
  const codes = all.filter(({ type }) => type === 'otp')
  const seeds = codes.flatMap((one) => readSeed(one) ?? [])
  const isFactor = ({ type }: JsonRow) => type === 'otp' || readText(type).startsWith('webauthn')
  if (seeds.length === 0 && all.some(isFactor)) left.add(lostFactor, username)
  if (seeds.length > 1) left.add('further one-time codes: a person has one secret here', username)
  for (const { type } of all) {
    if (type !== 'otp' && type !== 'password') left.add(`credentials: ${readText(type)}`, username)
  }
  const password = all.find(({ type }) => type === 'password')
  const { secretData, credentialData } = password ?? {}
  return {
    ...(password === undefined ? {} : { password_hash: { secretData, credentialData } }),
    ...(seeds[0] === undefined ? {} : { one_time_code_secret: seeds[0] }),
  }
}

const phoneNames = ['phoneNumber', 'phone_number', 'phone']

/** A list of one text is the text. */
const readAttributes = (given: unknown, username: string, left: Left) => {
  const claims: Record<string, unknown> = {}
  const attributes: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(isObject(given) ? given : {})) {
    const texts = listTexts(value)
    const [first = ''] = texts
    if (name === 'locale') claims.locale = first
    else if (phoneNames.includes(name)) claims.phone_number = first
    else if (name === 'phoneNumberVerified') claims.phone_number_verified = first === 'true'
    else if (!/^[A-Za-z0-9_.:/-]{1,100}$/.test(name) || name === '__proto__') {
      left.add('attributes: no such name is possible here', `${username}: ${name}`)
    } else attributes[name] = texts.length === 1 ? first : texts
  }
  return { claims, attributes }
}

const tellLeft = (user: JsonRow, username: string, left: Left): void => {
  const ofAll = /^(default-roles-.*|offline_access|uma_authorization)$/
  const roles = listTexts(user.realmRoles).filter((role) => !ofAll.test(role))
  if (roles.length > 0 || isObject(user.clientRoles)) left.add('roles of people', username)
  if (listTexts(user.requiredActions).length > 0) left.add('required actions', username)
  if (listObjects(user.federatedIdentities).length > 0) left.add('accounts elsewhere', username)
  if (readText(user.federationLink) !== '') left.add('passwords in a directory', username)
}

const readMembers = (user: JsonRow, known: ReadonlySet<string>, left: Left): JsonRow => {
  const { id, email, emailVerified, enabled, createdTimestamp } = user
  const username = readText(user.username)
  tellLeft(user, username, left)
  const { claims, attributes } = readAttributes(user.attributes, username, left)
  const [given, family] = [readText(user.firstName), readText(user.lastName)]
  const named = listTexts(user.groups).map(makeGroupName)
  for (const group of named.filter((name) => !known.has(name))) {
    left.add('groups that the file does not have', `${username}: ${group}`)
  }
  const at = typeof createdTimestamp === 'number' ? Math.floor(createdTimestamp / 1000) : null
  return {
    username,
    ...(typeof id === 'string' ? { sub: id } : {}),
    name: [given, family].filter((part) => part !== '').join(' '),
    email: readText(email),
    email_verified: emailVerified === true && readText(email) !== '',
    claims: { given_name: given, family_name: family, ...claims },
    attributes,
    disabled: enabled === false,
    ...(at === null ? {} : { created_at: at }),
    groups: [...new Set(named.filter((name) => known.has(name)))],
    ...readCredentials(user.credentials, username, left),
  }
}

/** @param groups that people may come into */
export const listRealmPeople = (
  realm: JsonRow,
  groups: readonly string[],
  left: Left,
): readonly ImportEntry[] => {
  const known = new Set(groups)
  return listObjects(realm.users)
    .filter(({ serviceAccountClientId }) => serviceAccountClientId === undefined)
    .map((user, i) => ({ line: i + 1, members: readMembers(user, known, left) }))
}
