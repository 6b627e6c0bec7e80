/** Keycloak: a credential of an export, `{"secretData":"{...}","credentialData":"{...}"}`. */
import { renderPhc } from '../../crypto/hashes/phc.ts'
import { bytesOf, type HashNotation, incomplete, objectIn, type ReadHash } from './notation.ts'
import { pbkdf2Of } from './phc.ts'

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
  return { hash: renderPhc({ name: `argon2${said('type')}`, version, parameters, salt, hash }) }
}

export const keycloakNotation: HashNotation = {
  title: 'a credential of Keycloak',
  read(given) {
    const credential = objectIn(given)
    if (credential === null || !('secretData' in credential)) return null
    const secret = objectIn(credential.secretData)
    const data = objectIn(credential.credentialData)
    const salt = bytesOf(secret?.salt)
    const hash = bytesOf(secret?.value)
    if (data === null || salt === null || hash === null) return incomplete
    const algorithm = String(data.algorithm)
    if (algorithm === 'argon2') {
      return readArgon2(data.hashIterations, objectIn(data.additionalParameters) ?? {}, salt, hash)
    }
    const name = Object.hasOwn(pbkdf2Names, algorithm) ? pbkdf2Names[algorithm] : undefined
    if (name === undefined) return { problem: 'its algorithm is unknown' }
    return pbkdf2Of(name, data.hashIterations, salt, hash)
  },
}
