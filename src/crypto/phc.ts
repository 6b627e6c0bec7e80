/** The text form of a password hash (PHC string format), `$name$v=19$parameters$salt$hash`, and its kind. */

export interface PhcHash {
  readonly name: string
  /** Null where the algorithm has none. */
  readonly version: number | null
  readonly parameters: Readonly<Record<string, number>>
  readonly salt: Buffer
  readonly hash: Buffer
}

const form =
  /^\$([a-z0-9-]{1,32})(?:\$v=(\d{1,3}))?\$([a-z]{1,4}=\d{1,10}(?:,[a-z]{1,4}=\d{1,10}){0,5})\$([A-Za-z0-9+/]*)\$([A-Za-z0-9+/]+)$/

const parseParameters = (text: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    text.split(',').map((parameter) => {
      const [key = '', value] = parameter.split('=')
      return [key, Number(value)]
    }),
  )

export const parsePhc = (text: string): PhcHash | null => {
  const [, name, version, parameters, salt, hash] = form.exec(text) ?? []
  if (name === undefined || parameters === undefined) return null
  return {
    name,
    version: version === undefined ? null : Number(version),
    parameters: parseParameters(parameters),
    salt: Buffer.from(salt ?? '', 'base64'),
    hash: Buffer.from(hash ?? '', 'base64'),
  }
}

const encodeBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replaceAll('=', '')

export const renderPhc = ({ name, version, parameters, salt, hash }: PhcHash): string => {
  const said = Object.entries(parameters).map(([key, value]) => `${key}=${value}`)
  const versions = version === null ? [] : [`v=${version}`]
  return ['', name, ...versions, said.join(','), encodeBase64(salt), encodeBase64(hash)].join('$')
}

/** OWASP's first choice: 19 MiB, two passes, one lane. */
export const ownCost = { memoryCost: 19456, timeCost: 2, parallelism: 1 } as const

const own = `$argon2id$v=19$m=${ownCost.memoryCost},t=${ownCost.timeCost},p=${ownCost.parallelism}$`

const bcrypt = /^(?:\$django-bcrypt-sha256)?\$2b\$\d\d\$/
const phc =
  /^\$(?:argon2(?:i|d|id)|pbkdf2-sha(?:1|256|512)|scrypt|firebase-scrypt)(?:\$v=\d+)?\$[a-z]+=\d+(?:,[a-z]+=\d+)*\$/

/**
 * The kind of a password hash: algorithm and cost, the beginning of the text up to the salt. The costs decide
 * how long its verification takes.
 *
 * @returns '' for hashes that this service makes itself
 */
export const getHashKind = (stored: string): string => {
  const kind = (bcrypt.exec(stored) ?? phc.exec(stored))?.[0] ?? ''
  return kind === own ? '' : kind
}

/** A text of this kind, to spend the same time on. No password has it. */
export const makeBlank = (kind: string): string => {
  if (bcrypt.test(kind)) return `${kind}${'.'.repeat(53)}`
  const length = Number(/\bl=(\d+)/.exec(kind)?.[1] ?? 32)
  const nothing = { name: '', version: null, parameters: {} }
  const text = renderPhc({ ...nothing, salt: Buffer.alloc(16), hash: Buffer.alloc(length) })
  return kind + text.split('$').slice(-2).join('$')
}
