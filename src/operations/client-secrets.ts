/** What ends of a client: its secret, its tokens, and its right to change itself. */

import { makeClientSecret, sealSecret } from '../clients/credentials.ts'
import { describeForOperator, describeSecret } from '../clients/describe.ts'
import { clientLimits } from '../clients/limits.ts'
import { makeSalt } from '../crypto/digest.ts'
import { type Client, isPublic } from '../model/client.ts'
import { parseMembers } from '../protocol/members.ts'
import { Refusal } from '../protocol/refusal.ts'
import { makeSchema } from '../protocol/schema.ts'
import { clientForm, explainRefused, findChangeable, oneClient } from './clients.ts'
import { defineRow, makeForm } from './operation.ts'
import type { AdminNeeds } from './operator.ts'
import { readNumber } from './surface/cli.ts'
import { sayRotatedSecret } from './surface/client-flags.ts'

const rotationForm = makeSchema((z) =>
  z.strictObject({
    keep_old_seconds: z
      .int()
      .min(0)
      .max(clientLimits.oldSecretSeconds)
      .default(0)
      .describe(`a whole number from 0 to ${clientLimits.oldSecretSeconds}`),
  }),
)

/** @param changed null where the client is gone, or has another scope by now */
const describeChanged = async (on: Client, changed: Client | null, parts: AdminNeeds) => {
  if (changed === null) throw await explainRefused(on, undefined, parts)
  return describeForOperator(changed)
}

/** The old secret ends at once or after the kept seconds. Tokens that the client got for itself with it end as well. */
export const rotateSecret = defineRow({
  route: `POST ${oneClient}/rotate-secret`,
  says: 'Give a client a new secret, shown this once',
  commands: {
    usage: 'client rotate-secret <id>',
    does: 'make a new secret and show it, this once; the old one ends, and the tokens got with it',
    examples: ['latchkey client rotate-secret printer --keep-old-seconds 86400'],
    flags: [
      ['--keep-old-seconds <seconds>', 'how long the old secret goes on (default: not at all)'],
    ],
    body: ({ keepOldSeconds: seconds }) =>
      seconds === undefined ? {} : { keep_old_seconds: readNumber(seconds) },
    text: ({ json }) => sayRotatedSecret(json),
  },
  body: {
    form: makeForm('Rotation', rotationForm),
    example: { keep_old_seconds: 3600 },
    optional: true,
  },
  answers: {
    200: makeForm('RotatedSecret', (z) =>
      z.looseObject({
        client_id: z.string(),
        client_secret: z.string().describe('shown this once'),
      }),
    ),
  },
  find: findChangeable,
  async run({ on, given, trace: makeTrace }, parts) {
    const { keep_old_seconds: kept } = parseMembers(rotationForm(), given, () => 'invalid_request')
    if (on.secretDigest === null) {
      throw isPublic(on)
        ? new Refusal('invalid_request', 'public_client', 'a public client has no secret')
        : new Refusal('invalid_request', 'no_secret', 'the client authenticates without a secret')
    }
    const secret = makeClientSecret(parts)
    const trace = makeTrace()
    const change = {
      ...sealSecret(secret, on, parts),
      newSalt: makeSalt(parts.random),
      ...(kept === 0 ? {} : { keepSecretUntil: trace.at + kept }),
    }
    const changed = await parts.store.changeClient(on.id, change, trace, on.scope)
    return { ...(await describeChanged(on, changed, parts)), ...describeSecret(secret) }
  },
})

/** Approvals of owners stay, so they are not asked again. */
export const endClientTokens = defineRow({
  route: `POST ${oneClient}/end-tokens`,
  says: 'End all tokens of a client and of its owners',
  commands: {
    usage: 'client end-tokens <id>',
    does: 'end all codes and tokens of a client, its own and those of its owners',
    examples: ['latchkey client end-tokens printer'],
    text: ({ name }) =>
      `All codes and tokens of ${name} have ended, its own and those of its owners. What owners approved stays.`,
  },
  answers: { 200: clientForm },
  find: findChangeable,
  async run({ on, trace }, parts) {
    const salts = { own: makeSalt(parts.random), family: makeSalt(parts.random) }
    const changed = await parts.store.endClientTokens(on.id, salts, trace(), on.scope)
    return describeChanged(on, changed, parts)
  },
})

/** From then on only operators change the client. */
export const revokeRegistration = defineRow({
  route: `POST ${oneClient}/revoke-registration`,
  says: 'End the registration token of a client',
  commands: {
    usage: 'client revoke-registration <id>',
    does: 'take away the token with which a client changes its own registration',
    examples: ['latchkey client revoke-registration printer'],
    looksFirst: true,
    text: ({ name, found: { manages_itself: had } }) =>
      had === true
        ? `The registration token of ${name} has ended: the client cannot change or delete its registration any more.`
        : `${name} has no registration token.`,
  },
  answers: { 200: clientForm },
  find: findChangeable,
  async run({ on, trace }, parts) {
    if (on.registrationDigest === null) return describeForOperator(on)
    const change = { registrationDigest: null, newSalt: makeSalt(parts.random) }
    const changed = await parts.store.changeClient(on.id, change, trace(), on.scope)
    return describeChanged(on, changed, parts)
  },
})

export const clientSecretOperations = { rotateSecret, endClientTokens, revokeRegistration }
