/** A provider with the shapes of GitHub: no OpenID Connect, errors with status 200, a list of addresses. */
import { createHash } from 'node:crypto'
import { openSite, type Site } from './site.ts'

export interface GitHub {
  /** For the setting `upstreams`, as the documents write it. */
  readonly upstream: Readonly<Record<string, unknown>>
  readonly site: Site
  /** What it tells of the person: change it as a test needs. */
  user: unknown
  emails: unknown
  /** Called with each question about the person, which then gets no answer; null = answers. */
  hold: (() => void) | null
  /** Added to each token response. */
  token: Readonly<Record<string, unknown>>
  /**
   * Somebody approves there.
   *
   * @param url the page there, as it was asked for
   * @returns the URL that leads back
   */
  approve(url: string): string
  close(): Promise<void>
}

const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')

export const openGitHub = async (
  change: Readonly<Record<string, unknown>> = {},
): Promise<GitHub> => {
  /** The challenge of each code that was not used yet. */
  const codes = new Map<string, string | null>()
  let count = 0

  const tokenFor = (form: URLSearchParams): unknown => {
    const code = form.get('code') ?? ''
    const challenge = codes.get(code)
    const verifier = form.get('code_verifier')
    const isSecretRight = form.get('client_id') === 'us' && form.get('client_secret') === 'secret'
    const isProven =
      challenge === null || (verifier !== null && challenge === challengeOf(verifier))
    if (!codes.delete(code) || !isSecretRight || !isProven)
      return { error: 'bad_verification_code' }
    return { access_token: `gho_${code}`, token_type: 'bearer', ...github.token }
  }

  const site = await openSite(({ url, headers }, outgoing) => {
    const body = new URLSearchParams(site.requests.at(-1)?.body)
    const isKnown = /^Bearer gho_/.test(headers.authorization ?? '')
    const answers: Readonly<Record<string, unknown>> = {
      '/login/oauth/access_token': () => tokenFor(body),
      '/user': () => (isKnown ? github.user : null),
      '/user/emails': () => (isKnown ? github.emails : null),
    }
    if (github.hold !== null && url === '/user') {
      github.hold()
      return
    }
    const answer = answers[url ?? '']
    const said: unknown = typeof answer === 'function' ? answer() : null
    outgoing.writeHead(said === null ? 401 : 200, { 'content-type': 'application/json' })
    outgoing.end(typeof said === 'string' ? said : JSON.stringify(said))
  })
  const host = `http://127.0.0.1:${site.port}`

  const github: GitHub = {
    site,
    user: null,
    emails: null,
    hold: null,
    token: {},
    upstream: {
      id: 'github',
      title: 'GitHub',
      type: 'oauth2',
      authorization_endpoint: `${host}/login/oauth/authorize`,
      token_endpoint: `${host}/login/oauth/access_token`,
      userinfo_endpoint: `${host}/user`,
      emails_endpoint: `${host}/user/emails`,
      client_id: 'us',
      client_secret: 'secret',
      scope: 'read:user user:email',
      username_member: 'login',
      picture_member: 'avatar_url',
      ...change,
    },
    approve(url) {
      const asked = new URL(url).searchParams
      const code = `code-${++count}`
      codes.set(code, asked.get('code_challenge'))
      const back = new URL(asked.get('redirect_uri') ?? '')
      back.search = String(new URLSearchParams({ code, state: asked.get('state') ?? '' }))
      return back.href
    },
    close: site.close,
  }
  return github
}
