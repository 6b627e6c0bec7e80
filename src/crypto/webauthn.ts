/** What devices sign: passkeys being made and used (WebAuthn level 3, sections 7.1 and 7.2). */

/** Who a passkey is for: it belongs to a host name, and signs for pages of one origin. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/** What a browser sends of a new passkey, in the words of WebAuthn; all of it base64url. */
interface Attestation {
  readonly id: string
  readonly response: Readonly<Record<'clientDataJSON' | 'attestationObject', string>>
}

interface Assertion {
  readonly id: string
  readonly response: Readonly<Record<'clientDataJSON' | 'authenticatorData' | 'signature', string>>
}

interface ProvenPasskey {
  readonly backupEligible: boolean
  readonly backedUp: boolean
  readonly counter: number
}

interface Made extends ProvenPasskey {
  /** A COSE key, base64url. */
  readonly publicKey: string
}

/** EdDSA, ES256, RS256 (RFC 9053): every device knows one of them. */
export const algorithms = [-8, -7, -257] as const

const getBackup = (info: {
  readonly credentialDeviceType: string
  readonly credentialBackedUp: boolean
}) => ({
  backupEligible: info.credentialDeviceType === 'multiDevice',
  backedUp: info.credentialBackedUp,
})

/** Loaded where it is first needed: most starts never need it, and it takes longer than they do. */
const load = () =>
  Promise.all([import('@simplewebauthn/server'), import('@simplewebauthn/server/helpers')])

type Library = Awaited<ReturnType<typeof load>>

/**
 * Verifies a response, or answers null: the library throws on invalid input. The browser says whether a
 * page of another origin had this one in a frame. None of our pages may be framed, so such a signature
 * is refused (sections 7.1 and 7.2, the steps about `crossOrigin` and `topOrigin`).
 */
const tryVerify = async <Result>(
  { response }: Pick<Attestation | Assertion, 'response'>,
  verify: (...loaded: Library) => Promise<Result | null>,
): Promise<Result | null> => {
  const [library, helpers] = await load()
  try {
    const told = helpers.decodeClientDataJSON(response.clientDataJSON)
    const isFramed = (told.crossOrigin ?? false) !== false || told.topOrigin !== undefined
    return isFramed ? null : await verify(library, helpers)
  } catch {
    return null
  }
}

const makeExpected = <Response>(
  id: string,
  response: Response,
  challenge: string,
  party: RelyingParty,
) => ({
  response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response } as const,
  expectedChallenge: challenge,
  expectedOrigin: party.origin,
  expectedRPID: party.id,
  requireUserVerification: true,
})

/**
 * A new passkey, or null. The service does not ask for attestation, so a response with certificates
 * is refused. Checking one could make this service fetch from a stranger's addresses.
 */
export const verifyAttestation = (
  { id, response }: Attestation,
  challenge: string,
  party: RelyingParty,
): Promise<Made | null> =>
  tryVerify({ response }, async ({ verifyRegistrationResponse }, helpers) => {
    const bytes = new Uint8Array(Buffer.from(response.attestationObject, 'base64url'))
    const attestation = helpers.decodeAttestationObject(bytes)
    const isSelfMade =
      attestation.get('fmt') === 'packed' && attestation.get('attStmt').get('x5c') === undefined
    if (attestation.get('fmt') !== 'none' && !isSelfMade) return null
    const { verified: isRight, registrationInfo: info } = await verifyRegistrationResponse({
      ...makeExpected(id, response, challenge, party),
      supportedAlgorithmIDs: [...algorithms],
    })
    if (!isRight || info === undefined || info.credential.id !== id) return null
    const { publicKey, counter } = info.credential
    return { publicKey: Buffer.from(publicKey).toString('base64url'), counter, ...getBackup(info) }
  })

/**
 * What a passkey signed, or null. Its counter is not judged here: only the store can compare it with
 * the latest one and set it in one step.
 */
export const verifyAssertion = (
  { id, response }: Assertion,
  publicKey: string,
  challenge: string,
  party: RelyingParty,
): Promise<ProvenPasskey | null> =>
  tryVerify({ response }, async ({ verifyAuthenticationResponse }) => {
    const key = new Uint8Array(Buffer.from(publicKey, 'base64url'))
    const { verified: isRight, authenticationInfo: info } = await verifyAuthenticationResponse({
      ...makeExpected(id, response, challenge, party),
      credential: { id, publicKey: key, counter: 0 },
    })
    return isRight ? { counter: info.newCounter, ...getBackup(info) } : null
  })
