/**
 * What a change makes of a client. The store applies it inside the step, to the client as it is then, so
 * the rules hold however many changes come at once.
 */
import type { Client, ClientChange, OldSecret } from './client.ts'

/** What a client's own tokens are sealed with from now on; whatever was sealed before has ended. */
const withNewSalt = (client: Client, salt: string): Pick<Client, 'salt' | 'oldSecret'> => ({
  salt,
  // A kept secret goes on, but what was got with it has ended, too.
  oldSecret: client.oldSecret && { ...client.oldSecret, salt: `${salt}.old` },
})

const isShorter = (before: number | null, after: number | null): boolean =>
  after !== null && (before === null || after < before)

const isNewSecret = (before: Client, after: Client): boolean =>
  before.secretDigest !== after.secretDigest ||
  before.authenticationMethod !== after.authenticationMethod

/** The secret that a planned rotation keeps for a while, with the salt of what was got with it. */
const keptSecret = (before: Client, after: Client, until: number | undefined): OldSecret | null =>
  until === undefined || before.secretDigest === null || after.secretDigest === null
    ? null
    : { digest: before.secretDigest, salt: before.salt, expiresAt: until }

/** A secret ends together with what was got with it; disabling and a shorter lifetime end the tokens alone. */
const credentialsAfter = (
  before: Client,
  after: Client,
  { newSalt, keepSecretUntil }: ClientChange,
): Pick<Client, 'salt' | 'oldSecret'> => {
  if (isNewSecret(before, after)) {
    return { salt: newSalt, oldSecret: keptSecret(before, after, keepSecretUntil) }
  }
  const endsTokens =
    (after.disabled && !before.disabled) ||
    isShorter(before.accessTokenSeconds, after.accessTokenSeconds)
  return endsTokens ? withNewSalt(before, newSalt) : before
}

/**
 * The bound on access tokens that were issued before the lifetime was shortened. It stays when the
 * lifetime is made longer again: no token that has ended comes back.
 */
const shortenedAfter = (before: Client, after: Client, at: number): Client['shortened'] => {
  const { accessTokenSeconds: seconds } = after
  if (seconds === null || !isShorter(before.accessTokenSeconds, seconds)) return before.shortened
  return { at, seconds: Math.min(seconds, before.shortened?.seconds ?? seconds) }
}

/** @param at unix seconds */
export const changeOf = (before: Client, change: ClientChange, at: number): Client => {
  const { addedRedirectUris = [], newSalt, keepSecretUntil, ...members } = change
  const named = { ...before, ...members }
  const redirectUris = [...new Set([...named.redirectUris, ...addedRedirectUris])]
  const after = { ...named, redirectUris }
  const { salt, oldSecret } = credentialsAfter(before, after, change)
  return { ...after, salt, oldSecret, shortened: shortenedAfter(before, after, at) }
}

/** The client after all its own tokens, and all that its owners' approvals earned it, have ended. */
export const endedTokensOf = (client: Client, salt: string, familySalt: string): Client => ({
  ...client,
  ...withNewSalt(client, salt),
  familySalt,
})
