/** An OpenID provider for tests. It speaks the truth unless a test makes it lie. */
import type { ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { openSite, type Site } from './site.ts'

type Members = Readonly<Record<string, unknown>>

/** What it says otherwise. A member that is `undefined` is left out. */
export interface Lies {
  readonly idToken?: Members | ((asked: URLSearchParams) => Members)
  /** Null for no answer. */
  readonly userinfo?: Members | null
  readonly metadata?: Members
  /** Members of the token response. */
  readonly token?: Members
  /** Whole answers, by their paths; null for none. */
  readonly answers?: Readonly<
    Record<string, { readonly status: number; readonly text: string } | null>
  >
  /** Parameters of the redirect back; '' leaves one out. */
  readonly back?: Readonly<Record<string, string>>
}

export interface Liar {
  readonly issuer: string
  readonly site: Site
  /** For the setting `upstreams`. */
  readonly upstream: Members
  /** Who is logged in there. */
  subject: string
  lies: Lies
  /** Takes a question without an answer. */
  held: (outgoing: ServerResponse) => void
  /**
   * @param url the login page there, as it was asked for
   * @returns the URL that leads back
   */
  approve(url: string): string
  close(): Promise<void>
}

/** @param now Unix seconds of the service that asks */
export const openLiar = async (now: () => number, change: Members = {}): Promise<Liar> => {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const keys = { keys: [{ ...(await exportJWK(publicKey)), use: 'sig' }] }
  const codes = new Map<string, URLSearchParams>()

  const tokenFor = async (code: string): Promise<unknown> => {
    const asked = codes.get(code)
    if (asked === undefined) return null
    const at = now()
    const { idToken = {} } = liar.lies
    const nonce = asked.get('nonce')
    const claims = { iss: issuer, aud: 'us', sub: liar.subject, iat: at, exp: at + 300, nonce }
    const fresh = asked.get('max_age') === null ? {} : { auth_time: at }
    const lie = typeof idToken === 'function' ? idToken(asked) : idToken
    const jwt = new SignJWT({ ...claims, ...fresh, ...lie })
    const signed = await jwt.setProtectedHeader({ alg: 'ES256' }).sign(privateKey)
    return { access_token: 'a', token_type: 'Bearer', id_token: signed, ...liar.lies.token }
  }

  const site = await openSite(async ({ url = '' }, outgoing) => {
    const form = new URLSearchParams(site.requests.at(-1)?.body)
    const { userinfo = {}, metadata, answers: whole = {} } = liar.lies
    const instead = whole[url]
    if (instead === null) return liar.held(outgoing)
    if (instead !== undefined) {
      outgoing.writeHead(instead.status).end(instead.text)
      return
    }
    const answers: Readonly<Record<string, () => unknown>> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        authorization_response_iss_parameter_supported: true,
        ...metadata,
      }),
      '/jwks': () => keys,
      '/token': () => tokenFor(form.get('code') ?? ''),
      '/userinfo': () => userinfo && { sub: liar.subject, ...userinfo },
    }
    const said = (await answers[url]?.()) ?? null
    outgoing.writeHead(said === null ? 400 : 200, { 'content-type': 'application/json' })
    outgoing.end(JSON.stringify(said ?? { error: 'invalid_grant' }))
  })
  const issuer = `http://127.0.0.1:${site.port}`

  const liar: Liar = {
    issuer,
    site,
    upstream: { id: 'liar', title: 'Liar', type: 'oidc', issuer, client_id: 'us', ...change },
    subject: '1',
    lies: {},
    held: () => {},
    approve(url) {
      const asked = new URL(url).searchParams
      const code = `code-${codes.size}`
      codes.set(code, asked)
      const back = new URL(asked.get('redirect_uri') ?? '')
      const told = { code, state: asked.get('state') ?? '', iss: issuer, ...liar.lies.back }
      for (const [name, value] of Object.entries(told)) {
        if (value !== '') back.searchParams.set(name, value)
      }
      return back.href
    },
    close: site.close,
  }
  return liar
}
