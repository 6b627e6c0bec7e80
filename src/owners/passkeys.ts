/** Passkeys: requests to the browser, and its responses. */

import { isIP } from 'node:net'
import type { z } from 'zod'
import { isLoopbackHttp } from '../config/issuer.ts'
import type { Settings } from '../config/settings.ts'
import { hashText } from '../crypto/digest.ts'
import {
  algorithms,
  type RelyingParty,
  verifyAssertion,
  verifyAttestation,
} from '../crypto/webauthn.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Passkey } from '../model/factor.ts'
import type { OwnerId, PasskeyId } from '../model/ids.ts'
import { parseJson } from '../model/json.ts'
import type { Owner } from '../model/owner.ts'
import { stripBrackets } from '../model/sector.ts'
import { makeSchema } from '../protocol/schema.ts'
import type { Ceremony, UsedPasskey } from '../store/contract/factor.ts'
import { ownerLimits } from './limits.ts'

const schemas = makeSchema((z) => {
  const base64url = (characters: number) =>
    z
      .string()
      .max(characters)
      .regex(/^[\w-]+$/)
  const field = base64url(ownerLimits.credentialCharacters)
  const id = base64url(ownerLimits.passkeyIdCharacters)
  const transports = z
    .array(z.string().regex(/^[a-z-]{1,20}$/))
    .max(10)
    .catch([])
  const userHandle = field.nullable().catch(null)
  return {
    attestation: z.object({
      id,
      response: z.object({ clientDataJSON: field, attestationObject: field, transports }),
    }),
    assertion: z.object({
      id,
      response: z.object({
        clientDataJSON: field,
        authenticatorData: field,
        signature: field,
        userHandle,
      }),
    }),
  }
})

const parse = <Shape extends z.ZodType>(shape: Shape, text: string): z.output<Shape> | null =>
  shape.safeParse(parseJson(text)).data ?? null

/**
 * The owner as a device is told: the id alone, and nothing about the person. A handle has at most 64 bytes (Web
 * Authentication section 5.4.3), and ids from elsewhere may be longer.
 */
const handleOf = (ownerId: OwnerId): string =>
  Buffer.from(ownerId.length <= 64 ? ownerId : hashText(ownerId)).toString('base64url')

const describePasskey = ({ id, transports }: Passkey) => ({ type: 'public-key', id, transports })

/**
 * Options for `navigator.credentials.create`, bytes as base64url. The passkey has to be found
 * without a username, and to ask for a finger, face or PIN: then it is two factors.
 */
export const makeCreationOptions = (
  challenge: string,
  owner: Owner,
  present: readonly Passkey[],
  party: RelyingParty,
  serviceName: string,
) => ({
  rp: { id: party.id, name: serviceName },
  user: {
    id: handleOf(owner.id),
    name: owner.username,
    displayName: owner.name === '' ? owner.username : owner.name,
  },
  challenge,
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
  excludeCredentials: present.map(describePasskey),
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
  attestation: 'none',
  timeout: ownerLimits.ceremonySeconds * 1000,
})

/** Options for `navigator.credentials.get`; any passkey for this host unless some are named. */
export const requestOptions = (
  challenge: string,
  allowed: readonly Passkey[],
  party: RelyingParty,
) => ({
  rpId: party.id,
  challenge,
  allowCredentials: allowed.map(describePasskey),
  userVerification: 'required',
  timeout: ownerLimits.ceremonySeconds * 1000,
})

/** The passkey that was made in a ceremony, or null. @param text as the script of the page sent it */
export const makePasskey = async (
  text: string,
  name: string,
  ownerId: OwnerId,
  { id }: Ceremony,
  at: number,
  party: RelyingParty,
): Promise<Passkey | null> => {
  const sent = parse(schemas().attestation, text)
  const made = sent && (await verifyAttestation(sent, id, party))
  if (sent === null || made === null) return null
  const { transports } = sent.response
  return {
    id: sent.id as PasskeyId,
    ownerId,
    name,
    transports,
    createdAt: at,
    lastUsedAt: null,
    ...made,
  }
}

/** A presented passkey: its signature is not verified yet. Null for another text. */
export const readPresented = (text: string) => {
  const sent = parse(schemas().assertion, text)
  return sent && { id: sent.id as PasskeyId, sent }
}

type PresentedPasskey = NonNullable<ReturnType<typeof readPresented>>

/** Whether the device names the owner; without a username, it has to (section 7.2, step 6). */
export const isOfOwner = ({ sent }: PresentedPasskey, ownerId: OwnerId): boolean =>
  sent.response.userHandle === handleOf(ownerId)

/** The presented passkey with its stored public key, or null. */
export const usePasskey = async (
  { sent }: PresentedPasskey,
  passkey: Passkey,
  ceremony: Ceremony,
  party: RelyingParty,
): Promise<UsedPasskey | null> => {
  if (sent.id !== passkey.id) return null
  const used = await verifyAssertion(sent, passkey.publicKey, ceremony.id, party)
  // Whether a key may be copied is settled when it is made: another answer is another key.
  if (used === null || used.backupEligible !== passkey.backupEligible) return null
  const { counter, backedUp } = used
  return { kind: 'passkey', id: passkey.id, counter, backedUp, ceremony }
}

/** Null where the service has no name: a passkey cannot belong to an IP address. */
const findRelyingParty = ({ settings }: { readonly settings: Settings }): RelyingParty | null => {
  const url = new URL(settings.issuer)
  // On this very machine there is a name besides the address.
  if (isLoopbackHttp(settings.issuer)) url.hostname = 'localhost'
  const isName = isIP(stripBrackets(url.hostname)) === 0
  return isName ? { id: url.hostname, origin: url.origin } : null
}

/** Whether passkeys can be made and used on a page: here, under another URL of the page, or not at all. */
type PasskeyPlace =
  | { readonly is: 'here'; readonly party: RelyingParty }
  | { readonly is: 'elsewhere'; readonly origin: string }
  | { readonly is: 'nowhere' }

/** Only a demo is known under two names; elsewhere a proxy may have changed what the request says. */
export const findPasskeyPlace = (
  request: HttpRequest,
  parts: { readonly settings: Settings },
): PasskeyPlace => {
  const party = findRelyingParty(parts)
  if (party === null) return { is: 'nowhere' }
  const isNamedSo = new URL(request.url).hostname === party.id
  return isLoopbackHttp(parts.settings.issuer) && !isNamedSo
    ? { is: 'elsewhere', origin: party.origin }
    : { is: 'here', party }
}
