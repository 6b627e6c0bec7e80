/**
 * Answers encrypted to a key of the client (OpenID Connect Core section 10.2): ID tokens, `/userinfo` and
 * authorization responses (JARM section 2.2).
 */
import type { ClientKeys } from '../clients/keys.ts'
import type { FetchAsker } from '../clients/site-fetch.ts'
import { type Encryption, encryptTo } from '../crypto/jwe.ts'
import type { Client, ClientOpenid } from '../model/client.ts'
import type { ClientKey } from '../model/key.ts'
import { Refusal } from '../protocol/refusal.ts'

type Encrypted = 'authorization' | 'id_token' | 'userinfo'

/** Null where the client wants no encryption. The default is that of OpenID Connect Registration section 2. */
const findEncryption = (openid: ClientOpenid, what: Encrypted): Encryption | null => {
  const alg = openid[`${what}_encrypted_response_alg`]
  const enc = openid[`${what}_encrypted_response_enc`] ?? 'A128CBC-HS256'
  return alg === undefined ? null : { alg, enc }
}

const unreachable = (): Refusal =>
  new Refusal(
    'temporarily_unavailable',
    'client_keys_unreachable',
    'the host of jwks_uri does not answer, so nothing can be encrypted to the client',
  )

const noKey = (what: Encrypted): Refusal =>
  new Refusal(
    'invalid_request',
    'no_encryption_key',
    `no key of the client can be used for ${what}_encrypted_response_alg`,
  )

type Recipient = Pick<Client, 'openid' | 'registeredBy'>

export const openEncryption = (clientKeys: ClientKeys) => {
  /** The first key that fits: a client publishes its newest one first. */
  const findKey = async (
    client: Recipient,
    what: Encrypted,
    algorithm: string,
    asker: FetchAsker,
  ): Promise<ClientKey> => {
    const wanted = { algorithm, use: 'enc', kid: null } as const
    const found = await clientKeys.find(client, wanted, asker)
    if (found.is === 'unreachable') throw unreachable()
    const key = found.is === 'found' ? found.keys[0] : undefined
    if (key === undefined) throw noKey(what)
    return key
  }

  return {
    /**
     * Whether an ID token can be encrypted now. A code that is redeemed without that is used up for nothing.
     * Anybody may register a client, so fetches of its keys are bounded.
     *
     * @throws Refusal `temporarily_unavailable`, `invalid_request`
     */
    async checkEncryption(
      client: Recipient,
      asker: FetchAsker,
      what: Encrypted = 'id_token',
    ): Promise<void> {
      const wanted = findEncryption(client.openid, what)
      if (wanted !== null) await findKey(client, what, wanted.alg, asker)
    },
    /**
     * The text, encrypted if the client registered for that.
     *
     * @param cty `JWT` for a signed JWT; null for JSON
     * @throws Refusal `temporarily_unavailable`, `invalid_request`
     */
    async encryptFor(
      client: Recipient,
      what: Encrypted,
      text: string,
      cty: 'JWT' | null,
      asker: FetchAsker,
    ): Promise<string> {
      const wanted = findEncryption(client.openid, what)
      if (wanted === null) return text
      const key = await findKey(client, what, wanted.alg, asker)
      const encrypted = await encryptTo(text, key, wanted, cty)
      if (encrypted === null) throw noKey(what)
      return encrypted
    },
  }
}

export type Encrypter = ReturnType<typeof openEncryption>
