/** The secret of a client after a registration, by its method. */
import { hashText, makeSalt } from '../crypto/digest.ts'
import type { Vault } from '../crypto/wrap.ts'
import type { Client, ClientChange, Registration } from '../model/client.ts'
import type { Given } from '../model/ids.ts'
import { makeClientSecret, sealSecret } from './credentials.ts'
import type { Registrable } from './grant-types.ts'
import { invalidMetadata } from './invalid.ts'
import { findMethod } from './rules.ts'

type NewSecretParts = Given & { readonly vault: Vault }

interface NewSecret {
  /** Shown once. Null where the operator gave it, or the method of the client needs none. */
  readonly secret: string | null
  readonly kept: Pick<Client, 'secretDigest' | 'sealedSecret'>
}

/**
 * A new secret, if the method of the client needs one, and what is kept of it.
 *
 * @param given by the operator
 * @throws Refusal `invalid_client_metadata` for a secret that the method does not need
 */
export const makeNewSecret = (
  client: Pick<Client, 'id' | 'authenticationMethod'>,
  registries: Registrable,
  parts: NewSecretParts,
  given?: string,
): NewSecret => {
  const { issues, name } = findMethod(client.authenticationMethod, registries)
  if (issues === 'nothing') {
    if (given === undefined) {
      return { secret: null, kept: { secretDigest: null, sealedSecret: null } }
    }
    const said = `client_secret has to be left out: token_endpoint_auth_method ${name} needs none`
    throw invalidMetadata('needless_secret', said)
  }
  const secret = given ?? makeClientSecret(parts)
  const kept =
    issues === 'sealed secret'
      ? sealSecret(secret, client, parts)
      : { secretDigest: hashText(secret), sealedSecret: null }
  return { secret: given === undefined ? secret : null, kept }
}

export interface ChangedClient {
  /** Only what differs, so that two changes of different members at once both hold. */
  readonly change: ClientChange
  /** A new secret, where the client had none and its new method needs one. */
  readonly secret: string | null
}

/** A new secret if the method needs one that is not there; no secret if it needs none. */
export const settleSecret = (
  client: Client,
  after: Registration,
  registries: Registrable,
  parts: NewSecretParts,
): ChangedClient => {
  const salts = { newSalt: makeSalt(parts.random) }
  const { issues } = findMethod(after.authenticationMethod, registries)
  const isSealed = client.sealedSecret !== null
  const hasRight =
    (client.secretDigest !== null) === (issues !== 'nothing') &&
    (isSealed || issues !== 'sealed secret')
  if (hasRight) {
    const isLeft = isSealed && issues === 'secret'
    return { change: isLeft ? { ...salts, sealedSecret: null } : salts, secret: null }
  }
  const { authenticationMethod } = after
  const { secret, kept } = makeNewSecret({ id: client.id, authenticationMethod }, registries, parts)
  return { change: { ...salts, ...kept }, secret }
}
