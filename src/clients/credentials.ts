/** An operator's changes of a client's credentials, over the admin API and at the command line. */

import { digest, newSalt, newSecret } from '../crypto/digest.ts'
import { type Client, isPublic } from '../model/client.ts'
import type { Random } from '../model/ids.ts'
import { parseMembers } from '../protocol/members.ts'
import { Refusal } from '../protocol/refusal.ts'
import { schemaOf } from '../protocol/schema.ts'
import type { Trace } from '../store/contract/trace.ts'
import type { Store } from '../store/store.ts'
import { clientLimits } from './limits.ts'

type CredentialParts = { readonly store: Store; readonly random: Random }

export const rotationForm = schemaOf((z) =>
  z.strictObject({
    keep_old_seconds: z
      .int()
      .min(0)
      .max(clientLimits.oldSecretSeconds)
      .default(0)
      .describe(`a whole number from 0 to ${clientLimits.oldSecretSeconds}`),
  }),
)

/** For how long a rotation keeps the old secret. @throws Refusal `invalid_request` */
export const parseKeepOldSeconds = (given: Readonly<Record<string, unknown>>): number =>
  parseMembers(rotationForm(), given, () => 'invalid_request').keep_old_seconds

/** A new secret of a client; shown once, only its digest is kept. */
export const newClientSecret = ({ random }: { readonly random: Random }): string =>
  newSecret('lk_cs_', random)

/**
 * A new secret in place of the old one. The old one ends at once or after `keepSeconds`, and with it
 * end the tokens that the client got for itself with it.
 *
 * @returns null where the client is gone, or has another scope by now
 * @throws Refusal `invalid_request` for a client without a secret
 */
export const rotateClientSecret = async (
  client: Client,
  keepSeconds: number,
  trace: Trace,
  { store, random }: CredentialParts,
): Promise<{ readonly client: Client; readonly secret: string } | null> => {
  if (client.secretDigest === null) {
    throw isPublic(client)
      ? new Refusal('invalid_request', 'public_client', 'a public client has no secret')
      : new Refusal('invalid_request', 'no_secret', 'the client authenticates without a secret')
  }
  const secret = newClientSecret({ random })
  const change = {
    secretDigest: digest(secret),
    newSalt: newSalt(random),
    ...(keepSeconds === 0 ? {} : { keepSecretUntil: trace.at + keepSeconds }),
  }
  const changed = await store.changeClient(client.id, change, trace, client.scope)
  return changed && { client: changed, secret }
}

/** Ends the client's own tokens, and all codes and tokens of its owners. Null where it is gone, or has another scope. */
export const endClientTokens = (
  { id, scope }: Client,
  trace: Trace,
  { store, random }: CredentialParts,
): Promise<Client | null> =>
  store.endClientTokens(id, { own: newSalt(random), family: newSalt(random) }, trace, scope)

/** Revokes the registration token for managing the client. Null as above. */
export const revokeRegistration = async (
  client: Client,
  trace: Trace,
  { store, random }: CredentialParts,
): Promise<Client | null> => {
  if (client.registrationDigest === null) return client
  const change = { registrationDigest: null, newSalt: newSalt(random) }
  return await store.changeClient(client.id, change, trace, client.scope)
}
