/** `latchkey client rotate-secret`, `end-tokens` and `revoke-registration`: for a secret that may be stolen. */
import {
  endClientTokens,
  parseKeepOldSeconds,
  revokeRegistration as revoke,
  rotateClientSecret,
} from '../clients/credentials.ts'
import { describeForOperator, describeSecret } from '../clients/describe.ts'
import { findClient } from '../clients/find.ts'
import type { Client } from '../model/client.ts'
import { asJson, showSecret } from './clients.ts'
import { renderTime } from './counts.ts'
import type { Flags, StoreParts } from './store.ts'

/** The named client, also where it is disabled. */
const findNamed = async ({ id }: Flags, parts: StoreParts): Promise<Client> => {
  const client = await findClient(String(id), parts, 'disabled')
  if (client === null) throw gone(id)
  return client
}

const gone = (id: unknown): Error => new Error(`there is no client ${id}`)

export const rotateSecret = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const keep = flags.keepOldSeconds
  const given = keep === undefined ? {} : { keep_old_seconds: Number(keep) }
  const seconds = parseKeepOldSeconds(given)
  const client = await findNamed(flags, parts)
  const rotated = await rotateClientSecret(client, seconds, parts.trace(), parts)
  if (rotated === null) throw gone(flags.id)
  if (flags.json === true) {
    return asJson({ ...describeForOperator(rotated.client), ...describeSecret(rotated.secret) })
  }
  const until = rotated.client.oldSecret?.expiresAt
  const old =
    until === undefined
      ? 'The old secret has ended, and so have the tokens that the client got for itself.'
      : `The old secret ends at ${renderTime(until)}, and so do the tokens that the client got for itself with it.`
  return `${showSecret(rotated)}\n${old}`
}

export const endTokens = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const ended = await endClientTokens(await findNamed(flags, parts), parts.trace(), parts)
  if (ended === null) throw gone(flags.id)
  return flags.json === true
    ? asJson(describeForOperator(ended))
    : `All codes and tokens of ${ended.id} have ended, its own and those of its owners. What owners approved stays.`
}

export const revokeRegistration = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const client = await findNamed(flags, parts)
  const changed = await revoke(client, parts.trace(), parts)
  if (changed === null) throw gone(flags.id)
  if (flags.json === true) return asJson(describeForOperator(changed))
  return client.registrationDigest === null
    ? `${client.id} has no registration token.`
    : `The registration token of ${client.id} has ended: the client cannot change or delete its registration any more.`
}
