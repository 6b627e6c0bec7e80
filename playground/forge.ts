/** Forgeries of a JWT, as an attacker makes them without a key. */

export type JwtMembers = Readonly<Record<string, unknown>>

const read = (part: string): JwtMembers => {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return {}
  }
}

const write = (members: JwtMembers): string =>
  Buffer.from(JSON.stringify(members)).toString('base64url')

const yearSeconds = 365 * 24 * 3600

const forgeries: Readonly<Record<string, (jwt: readonly string[]) => readonly string[]>> = {
  /** `alg` none, and no signature. */
  unsigned: ([header = '', claims = '']) => [write({ ...read(header), alg: 'none' }), claims, ''],
  /** It ends a year later, and keeps its signature. */
  changed([header = '', claims = '', signature = '']) {
    const members = read(claims)
    const exp = Number(members.exp ?? 0) + yearSeconds
    return [header, write({ ...members, exp }), signature]
  },
}

/** @param how the name of a forgery; the text stays as it is without one */
export const forge = (jwt: string, how: string | undefined): string => {
  const forgery = how === undefined ? undefined : forgeries[how]
  return forgery === undefined ? jwt : forgery(jwt.split('.')).join('.')
}
