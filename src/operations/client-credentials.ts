/** The credentials of one client. */
import {
  endClientTokens as endTokensOf,
  parseKeepOldSeconds,
  revokeRegistration as revokeRegistrationOf,
  rotateClientSecret,
  rotationForm,
} from '../clients/credentials.ts'
import { describeForOperator, describeSecret } from '../clients/describe.ts'
import { clientForm, findChangeable, oneClient, refusedFor } from './clients.ts'
import { formOf, operation } from './operation.ts'
import { sayRotatedSecret } from './surface/client-flags.ts'

/** Tokens that the client got for itself with the old secret end with it. */
export const rotateSecret = operation({
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
      seconds === undefined ? {} : { keep_old_seconds: Number(seconds) },
    text: ({ json }) => sayRotatedSecret(json),
  },
  body: {
    form: formOf('Rotation', rotationForm),
    example: { keep_old_seconds: 3600 },
    optional: true,
  },
  answers: {
    200: formOf('RotatedSecret', (z) =>
      z.looseObject({
        client_id: z.string(),
        client_secret: z.string().describe('shown this once'),
      }),
    ),
  },
  find: findChangeable,
  async run({ on, given, trace }, parts) {
    const rotated = await rotateClientSecret(on, parseKeepOldSeconds(given), trace(), parts)
    if (rotated === null) throw await refusedFor(on, parts)
    return { ...describeForOperator(rotated.client), ...describeSecret(rotated.secret) }
  },
})

/** Approvals of owners stay, so they are not asked again. */
export const endClientTokens = operation({
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
    const changed = await endTokensOf(on, trace(), parts)
    if (changed === null) throw await refusedFor(on, parts)
    return describeForOperator(changed)
  },
})

/** From then on only operators change the client. */
export const revokeRegistration = operation({
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
    const changed = await revokeRegistrationOf(on, trace(), parts)
    if (changed === null) throw await refusedFor(on, parts)
    return describeForOperator(changed)
  },
})

export const credentialOperations = { rotateSecret, endClientTokens, revokeRegistration }
