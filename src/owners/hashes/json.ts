/** Hashes that are an object, or its JSON text: those of Keycloak and Firebase. */
import { removeSignerKey } from '../../crypto/hashes.ts'
import { isObject, parseJson } from '../../model/json.ts'
import { decode, type HashNotation, incomplete, makePbkdf2, type ReadHash, sayPhc } from './text.ts'

/** JSON text where text comes, as out of a CSV file. */
export const readJson = (given: unknown): Readonly<Record<string, unknown>> | null => {
  const said = typeof given === 'string' && given.startsWith('{"') ? parseJson(given) : given
  return isObject(said) ? said : null
}

const pbkdf2Names: Readonly<Record<string, string>> = {
  pbkdf2: 'pbkdf2-sha1',
  'pbkdf2-sha256': 'pbkdf2-sha256',
  'pbkdf2-sha512': 'pbkdf2-sha512',
}

const versions: Readonly<Record<string, number>> = { '1.0': 16, '1.3': 19 }

/** Each parameter is a list of one text. */
const readArgon2 = (
  iterations: unknown,
  given: Readonly<Record<string, unknown>>,
  salt: Buffer,
  hash: Buffer,
): ReadHash => {
  const said = (name: string): string => {
    const value = given[name]
    return String(Array.isArray(value) ? value[0] : value)
  }
  const [m, p] = [Number(said('memory')), Number(said('parallelism'))]
  const version = versions[said('version')]
  const isWhole = [m, p, iterations].every((value) => Number.isSafeInteger(value))
  if (!isWhole || version === undefined || !/^(?:i|d|id)$/.test(said('type'))) return incomplete
  const parameters = { m, t: Number(iterations), p }
  return sayPhc({ name: `argon2${said('type')}`, version, parameters, salt, hash })
}

/** A credential of an export of Keycloak, `{"secretData":"{...}","credentialData":"{...}"}`. */
export const keycloak: HashNotation = {
  title: 'a credential of Keycloak',
  read(given) {
    const credential = readJson(given)
    if (credential === null || !('secretData' in credential)) return null
    const secret = readJson(credential.secretData)
    const data = readJson(credential.credentialData)
    const salt = decode(secret?.salt)
    const hash = decode(secret?.value)
    if (data === null || salt === null || hash === null) return incomplete
    const algorithm = String(data.algorithm)
    if (algorithm === 'argon2') {
      return readArgon2(data.hashIterations, readJson(data.additionalParameters) ?? {}, salt, hash)
    }
    const name = Object.hasOwn(pbkdf2Names, algorithm) ? pbkdf2Names[algorithm] : undefined
    if (name === undefined) return { problem: 'its algorithm is unknown' }
    return makePbkdf2(name, data.hashIterations, salt, hash)
  },
}

/** Firebase also writes numbers as text. */
const parseWholeNumber = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(number) ? Number(number) : null
}

/**
 * `passwordHash` and `salt` of an exported user of Firebase, together with the hash parameters of the
 * project (`signerKey`, `saltSeparator`, `rounds`, `memoryCost`).
 */
export const firebase: HashNotation = {
  title: 'a password of Firebase',
  read(given) {
    const said = readJson(given)
    if (said === null || !('passwordHash' in said)) return null
    const hash = decode(said.passwordHash)
    const salt = decode(said.salt)
    const signerKey = decode(said.signerKey)
    if (signerKey === null) return { problem: 'it needs the hash parameters of the project' }
    const separator = decode(said.saltSeparator) ?? Buffer.alloc(0)
    const ln = parseWholeNumber(said.memoryCost)
    const r = parseWholeNumber(said.rounds)
    if (hash === null || salt === null || ln === null || r === null) return incomplete
    if (hash.length !== signerKey.length) return incomplete
    return sayPhc({
      name: 'firebase-scrypt',
      parameters: { ln, r, p: 1 },
      salt: Buffer.concat([salt, separator]),
      hash: removeSignerKey(hash, signerKey),
    })
  },
}
