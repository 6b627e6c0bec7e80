/**
 * What a change makes of a client. The store applies it inside the step, to the client as it is then, so
 * the rules hold however many changes come at once.
 */
import type { Client, ClientChange, ClientOpenid } from './client.ts'
import type { Permissions } from './resource.ts'
import { isScopeWord } from './scope-word.ts'

/** The new salt for the client's own tokens; older seals have ended. */
const replaceSalt = (client: Client, salt: string): Pick<Client, 'salt' | 'oldSecret'> => ({
  salt,
  // A kept secret goes on, but what was got with it has ended, too.
  oldSecret: client.oldSecret && { ...client.oldSecret, salt: `${salt}.old` },
})

const isShorter = (before: number | null, after: number | null): boolean =>
  after !== null && (before === null || after < before)

/** Its names in certificates, each with its member. */
export const listCertificateNames = (
  openid: ClientOpenid,
): readonly (readonly [string, string])[] =>
  Object.entries(openid).filter(([member]) => member.startsWith('tls_client_auth_'))

/** The proofs of the client besides a secret, for any method. A key for encryption proves nothing. */
const listProofs = ({ openid, identity }: Client): readonly string[] => {
  const { jwks, jwks_uri: uri } = openid
  const proofs: readonly unknown[] = [
    ...(jwks?.keys ?? []).filter(({ use }) => use !== 'enc'),
    ...(uri === undefined ? [] : [uri]),
    ...listCertificateNames(openid),
    ...(identity.federated_credentials ?? []),
  ]
  return proofs.map((proof) => JSON.stringify(proof))
}

/** Whether a key or another proof has gone. A further one ends nothing. */
const hasLostProof = (before: Client, after: Client): boolean => {
  const left = listProofs(after)
  return listProofs(before).some((proof) => !left.includes(proof))
}

/**
 * A secret ends together with what was got with it, and so does a proof. Disabling and a shorter lifetime end
 * the tokens alone.
 */
const deriveCredentials = (
  before: Client,
  after: Client,
  { newSalt, keepSecretUntil }: ClientChange,
): Pick<Client, 'salt' | 'oldSecret'> => {
  const isNewSecret =
    before.secretDigest !== after.secretDigest ||
    before.authenticationMethod !== after.authenticationMethod
  if (isNewSecret) {
    const { secretDigest: digest, salt, sealedSecret: sealed } = before
    const isKept = keepSecretUntil !== undefined && digest !== null && after.secretDigest !== null
    // During a planned rotation the old secret goes on, with the salt of its tokens.
    return {
      salt: newSalt,
      oldSecret: isKept
        ? { digest, salt, expiresAt: keepSecretUntil, ...(sealed === null ? {} : { sealed }) }
        : null,
    }
  }
  const endsTokens =
    hasLostProof(before, after) ||
    (after.disabled && !before.disabled) ||
    isShorter(before.accessTokenSeconds, after.accessTokenSeconds)
  return endsTokens ? replaceSalt(before, newSalt) : before
}

/**
 * The secret itself, where the method needs it. Every new secret comes with its sealed form, and the client as it
 * is now decides. A rotation and a change of the method may come at the same moment.
 */
const deriveSealed = (before: Client, after: Client, change: ClientChange): string | null => {
  const sealed = change.sealedSecret ?? null
  if (before.authenticationMethod !== after.authenticationMethod) return sealed
  const isSaid = change.secretDigest !== undefined || change.sealedSecret !== undefined
  if (!isSaid) return before.sealedSecret
  return before.sealedSecret === null ? null : sealed
}

/**
 * The bound on access tokens that were issued before the lifetime was shortened. The bound stays when the
 * lifetime is made longer again: no token that has ended comes back.
 */
const deriveShortened = (before: Client, after: Client, at: number): Client['shortened'] => {
  const { accessTokenSeconds: seconds } = after
  if (seconds === null || !isShorter(before.accessTokenSeconds, seconds)) return before.shortened
  return { at, seconds: Math.min(seconds, before.shortened?.seconds ?? seconds) }
}

/** What a client says of itself, by its names in RFC 7591. `scope` is missing: there the operator's is a bound. */
const names = {
  name: 'client_name',
  redirectUris: 'redirect_uris',
  grantTypes: 'grant_types',
  responseTypes: 'response_types',
  authenticationMethod: 'token_endpoint_auth_method',
  secretDigest: 'client_secret',
  requiredScope: 'required_scope',
} as const satisfies Partial<Record<keyof Client, string>>

const members = Object.keys(names) as (keyof typeof names)[]

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The members in which two states of a client differ, by their names in RFC 7591. */
const listDiffering = (before: Client, after: Client): readonly string[] => [
  ...members.filter((one) => !isEqual(before[one], after[one])).map((one) => names[one]),
  ...listChanged(before.display, after.display),
  ...listChanged(before.openid, after.openid),
]

const listChanged = <Members extends object>(before: Members, after: Members): readonly string[] =>
  Object.keys({ ...before, ...after }).filter(
    (name) => !isEqual(Reflect.get(before, name), Reflect.get(after, name)),
  )

/** The members of a client as the operator has set them; it may leave them out where it says all anew. */
export const pickHeld = (
  client: Client,
): Partial<Pick<Client, keyof typeof names>> & Pick<Client, 'display' | 'openid'> => {
  const isHeld = (name: string): boolean => client.setByOperator.includes(name)
  const held = members.filter((one) => isHeld(names[one])).map((one) => [one, client[one]])
  const ofThem = <Members extends object>(all: Members): Members =>
    Object.fromEntries(Object.entries(all).filter(([name]) => isHeld(name))) as Members
  const { display, openid } = client
  return { ...Object.fromEntries(held), display: ofThem(display), openid: ofThem(openid) }
}

/** @param at unix seconds */
export const changeOf = (before: Client, change: ClientChange, at: number): Client => {
  const { addedRedirectUris = [], newSalt, keepSecretUntil, ...said } = change
  const named = { ...before, ...said }
  const redirectUris = [...new Set([...named.redirectUris, ...addedRedirectUris])]
  const after = { ...named, redirectUris }
  const { salt, oldSecret } = deriveCredentials(before, after, change)
  const sealedSecret = deriveSealed(before, after, change)
  return { ...after, salt, oldSecret, sealedSecret, shortened: deriveShortened(before, after, at) }
}

/**
 * The same for a change by the operator. If the client registered itself, the operator's members
 * are noted: those in the change, and those that change along with them.
 */
export const applyOperatorChange = (before: Client, change: ClientChange, at: number): Client => {
  const after = changeOf(before, change, at)
  if (before.registeredBy === 'operator') return { ...after, setByOperator: before.setByOperator }
  const { setByOperator: named = [] } = change
  const held = new Set([...before.setByOperator, ...named, ...listDiffering(before, after)])
  return { ...after, setByOperator: [...held].toSorted() }
}

/**
 * What a change by the client itself changes although the operator has set it, by the names in RFC
 * 7591. The operator may have narrowed the scope after the change was checked.
 */
export const listHeldAgainst = (before: Client, after: Client): readonly string[] => {
  const set = listDiffering(before, after).filter((name) => before.setByOperator.includes(name))
  const isBeyond = (wanted: Permissions): boolean =>
    before.scopeLimits && wanted.some((name) => !isScopeWord(name) && !before.scope.includes(name))
  if (isBeyond(after.scope)) set.push('scope')
  const requires = !isEqual(before.requiredScope, after.requiredScope)
  if (requires && isBeyond(after.requiredScope)) set.push('required_scope')
  return [...new Set(set)]
}

/**
 * The client after a newer copy of its document came. The operator's members and limit stay.
 *
 * @param fetched with a new salt, for where the copy takes a key away
 */
export const applyDocumentChange = (before: Client, fetched: Client): Client => {
  const { display, openid, ...held } = pickHeld(before)
  const { name, redirectUris, grantTypes, responseTypes, document } = fetched
  const { scope, requiredScope } = before.scopeLimits ? before : fetched
  const after = {
    ...before,
    scope,
    requiredScope,
    name,
    redirectUris,
    grantTypes,
    responseTypes,
    ...held,
    display: { ...fetched.display, ...display },
    openid: { ...fetched.openid, ...openid },
    ...(document === undefined ? {} : { document }),
  }
  return hasLostProof(before, after) ? { ...after, ...replaceSalt(before, fetched.salt) } : after
}

/** The client after all its own tokens, and all that its owners' approvals earned it, have ended. */
export const endTokens = (client: Client, salt: string, familySalt: string): Client => ({
  ...client,
  ...replaceSalt(client, salt),
  familySalt,
})
