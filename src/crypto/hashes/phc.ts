/** The text form of a password hash (PHC string format): `$name$v=19$parameters$salt$hash`. */

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

const parametersIn = (text: string): Readonly<Record<string, number>> =>
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
    parameters: parametersIn(parameters),
    salt: Buffer.from(salt ?? '', 'base64'),
    hash: Buffer.from(hash ?? '', 'base64'),
  }
}

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replaceAll('=', '')

export const renderPhc = ({ name, version, parameters, salt, hash }: PhcHash): string => {
  const said = Object.entries(parameters).map(([key, value]) => `${key}=${value}`)
  const versions = version === null ? [] : [`v=${version}`]
  return ['', name, ...versions, said.join(','), base64(salt), base64(hash)].join('$')
}
