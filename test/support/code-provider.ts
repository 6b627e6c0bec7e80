/** A small OpenID provider. A test says who is logged in there, and gets a code for it. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { openSite } from './site.ts'

export interface CodeProvider {
  /** For the setting `upstreams`. */
  readonly upstream: Readonly<Record<string, unknown>>
  /**
   * Somebody logs in there.
   *
   * @param url the login page there, as it was asked for
   * @param claims further ones of the ID token
   * @returns the URL that leads back. Its code counts until `forgetCodes`
   */
  logIn(url: string, subject: string, claims?: object): string
  /** No code counts any more, as if each was used. */
  forgetCodes(): void
  close(): Promise<void>
}

export const openCodeProvider = async (): Promise<CodeProvider> => {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const keys = { keys: [{ ...(await exportJWK(publicKey)), use: 'sig' }] }
  const codes = new Map<
    string,
    Readonly<Record<'subject' | 'nonce', string>> & { readonly said: object }
  >()
  let count = 0

  /** Its tokens fit every clock. */
  const answerCode = async (code: string): Promise<unknown> => {
    const found = codes.get(code)
    if (found === undefined) return null
    const { subject, nonce, said } = found
    const [email, name] = [`${subject}@example.net`, subject]
    const claims = { iss: issuer, aud: 'us', sub: subject, nonce, iat: 0, exp: 2 ** 33, ...said }
    const token = new SignJWT({ ...claims, email, email_verified: true, name }).setProtectedHeader({
      alg: 'ES256',
    })
    return { access_token: 'a', id_token: await token.sign(privateKey) }
  }

  const site = await openSite(async ({ url = '' }, outgoing) => {
    const answers: Readonly<Record<string, () => unknown>> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
      }),
      '/jwks': () => keys,
      '/token': () => answerCode(new URLSearchParams(body).get('code') ?? ''),
    }
    const body = site.requests.at(-1)?.body
    const said = (await answers[url]?.()) ?? null
    outgoing.writeHead(said === null ? 400 : 200, { 'content-type': 'application/json' })
    outgoing.end(JSON.stringify(said ?? { error: 'invalid_grant' }))
  })
  const issuer = `http://127.0.0.1:${site.port}`

  return {
    upstream: { id: 'other', title: 'Other', type: 'oidc', issuer, client_id: 'us' },
    logIn(url, subject, said = {}) {
      const asked = new URL(url).searchParams
      const code = `code-${++count}`
      codes.set(code, { subject, nonce: asked.get('nonce') ?? '', said })
      const back = new URL(asked.get('redirect_uri') ?? '')
      back.search = String(new URLSearchParams({ code, state: asked.get('state') ?? '' }))
      return back.href
    },
    forgetCodes: () => codes.clear(),
    close: site.close,
  }
}
