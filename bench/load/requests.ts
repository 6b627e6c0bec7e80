/** The requests of the load generator as they go over the wire, and how their answers are judged. */
import type { Answer } from './connection.ts'
import {
  type Credentials,
  challenge,
  jwtResource,
  password,
  service,
  type Target,
  verifier,
} from './job.ts'

const assertionType = encodeURIComponent('urn:ietf:params:oauth:client-assertion-type:jwt-bearer')

const credentials = ({ id, secret }: Credentials): string =>
  `Authorization: Basic ${btoa(`${id}:${secret}`)}\r\n`

const formHead = (path: string, target: Target, more: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${target.port}\r\n${more}` +
  'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: '

/** Everything that is the same in each request is put together once. */
export const requestsFor = (target: Target) => {
  const { application } = target
  const tokenHead = formHead('/token', target, credentials(application))
  const introspectHead = formHead('/introspect', target, credentials(application))
  const introspectOwnHead = formHead('/introspect', target, credentials(service))
  const revokeHead = formHead('/revoke', target, credentials(target.revoker))
  const redirect = encodeURIComponent(application.redirectUri)
  const post = (head: string, body: string): string => `${head}${body.length}\r\n\r\n${body}`
  const query =
    `response_type=code&client_id=${application.id}&redirect_uri=${redirect}` +
    `&scope=${encodeURIComponent(target.scope)}&state=xyz&code_challenge=${challenge}&code_challenge_method=S256`
  const readHead = `GET ${target.readPath} HTTP/1.1\r\nHost: 127.0.0.1:${target.port}\r\nAuthorization: `
  const assertedHead = formHead('/token', target, '')
  const provenHead = (proof: string): string =>
    formHead('/token', target, `${credentials(application)}DPoP: ${proof}\r\n`)
  const { loginForm } = target
  return {
    token: post(
      formHead('/token', target, credentials(service)),
      'grant_type=client_credentials&scope=photos%3Aread',
    ),
    tokenJwt: post(
      formHead('/token', target, credentials(target.jwtService ?? service)),
      `grant_type=client_credentials&scope=${encodeURIComponent(jwtResource.scope)}&resource=${encodeURIComponent(jwtResource.uri)}`,
    ),
    tokenAsserted: (assertion: string) =>
      post(
        assertedHead,
        `grant_type=client_credentials&scope=photos%3Aread&client_assertion_type=${assertionType}&client_assertion=${assertion}`,
      ),
    authorize: `GET /authorize?${query} HTTP/1.1\r\nHost: 127.0.0.1:${target.port}\r\nCookie: ${target.cookies}\r\n\r\n`,
    /** @param piece the code; behind it may stand a proof of the key that the tokens are to be bound to */
    code: (piece: string) => {
      const [code, proof] = piece.split(' ')
      return post(
        proof === undefined ? tokenHead : provenHead(proof),
        `grant_type=authorization_code&code=${code}&redirect_uri=${redirect}&code_verifier=${verifier}`,
      )
    },
    refresh: (token: string) => post(tokenHead, `grant_type=refresh_token&refresh_token=${token}`),
    introspect: (token: string) => post(introspectHead, `token=${token}`),
    introspectOwn: (token: string) => post(introspectOwnHead, `token=${token}`),
    revoke: (token: string) => post(revokeHead, `token=${token}`),
    read: (token: string) => `${readHead}Bearer ${token}\r\n\r\n`,
    readProven: (token: string, proof: string) =>
      `${readHead}DPoP ${token}\r\nDPoP: ${proof}\r\n\r\n`,
    login: (username: string, typed = password) =>
      post(
        formHead('/login', target, `Cookie: ${loginForm?.cookies ?? ''}\r\n`),
        `csrf=${loginForm?.csrf ?? ''}&username=${username}&password=${typed}`,
      ),
  }
}

const member = (body: string, name: string): string | null => {
  const start = body.indexOf(`"${name}":"`)
  if (start < 0) return null
  const from = start + name.length + 4
  return body.slice(from, body.indexOf('"', from))
}

/** Null where the answer is not the right one. */
export const earnedBy = {
  accessToken: ({ status, body }: Answer): string | null =>
    status === 200 ? member(body, 'access_token') : null,
  /** An access token that is a JWS in compact form. */
  jwt: (answer: Answer): string | null => {
    const token = earnedBy.accessToken(answer)
    return token?.split('.').length === 3 ? token : null
  },
  /** Access token and refresh token. */
  pair: ({ status, body }: Answer): string | null => {
    if (status !== 200) return null
    const access = member(body, 'access_token')
    const refresh = member(body, 'refresh_token')
    return access === null || refresh === null ? null : `${access} ${refresh}`
  },
  /** The same, where an ID token came along. */
  pairWithIdToken: (answer: Answer): string | null =>
    member(answer.body, 'id_token') === null ? null : earnedBy.pair(answer),
  code: ({ status, head }: Answer): string | null => {
    if (status !== 302 && status !== 303) return null
    return (
      /\r\nlocation: http:\/\/127\.0\.0\.1:6750\/callback\?(?:[^\r]*&)?code=([^&\r]+)/i.exec(
        head,
      )?.[1] ?? null
    )
  },
  activity: ({ status, body }: Answer): string | null =>
    status === 200 && body.includes('"active":true') ? '' : null,
  /** @param revoked what the body has to be */
  ending: ({ status, body }: Answer, revoked: string): string | null =>
    status === 200 && body === revoked ? '' : null,
  /** @param shows what the body has to hold */
  reading: ({ status, body }: Answer, shows: readonly string[]): string | null =>
    status === 200 && body.startsWith('{') && shows.every((text) => body.includes(text))
      ? ''
      : null,
  session: ({ status, head }: Answer): string | null =>
    status === 303 ? (/\r\nset-cookie: (\w*session=[^;\r]+)/i.exec(head)?.[1] ?? null) : null,
}
