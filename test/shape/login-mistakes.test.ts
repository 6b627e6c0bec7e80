/** Provokes each message of docs/login.md. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import * as client from 'openid-client'
import { answerOf, Browser } from '../support/browser.ts'
import { type Listening, listen } from '../support/listening.ts'
import { codeRequest, walk } from '../support/printing.ts'
import { reach } from '../support/reach.ts'
import { root } from './source.ts'

const page = readFileSync(join(root, 'docs/login.md'), 'utf8')
const rows = page.slice(page.indexOf('## When something is wrong'))
const explained = [...rows.matchAll(/^\| `(.*?)` \| (\S+) \|/gm)].map(
  ([, message = '', where]) => ({
    message,
    where: where ?? '',
  }),
)

const request = { ...codeRequest, scope: 'openid' }

let service: Listening

before(async () => {
  service = await listen()
})
after(() => service.close())

const discover = (
  secret = 'photo-printer-secret',
  issuer = service.issuer,
  execute = [client.allowInsecureRequests],
) => client.discovery(new URL(issuer), 'photo-printer', secret, undefined, { execute })

const locationOf = async (parameters: object): Promise<URL> => {
  const answer = await walk(reach(service.issuer), { ...request, ...parameters })
  return new URL(answer.headers.get('location') ?? '')
}

/** What the library says, or the error below it, or the service's own words. */
const complaintsOf = async (attempt: Promise<unknown>): Promise<string> => {
  try {
    await attempt
    return ''
  } catch (error) {
    const { message, cause, error_description: told } = error as Error & Record<string, unknown>
    return [message, (cause as Error | undefined)?.message, told].join('\n')
  }
}

const redeem = async (
  config: client.Configuration,
  location: URL,
  checks: client.AuthorizationCodeGrantChecks = {},
) => client.authorizationCodeGrant(config, location, { expectedState: 'xyz', ...checks })

/** Each makes one mistake, and answers what the developer sees. */
const mistakes: Readonly<Record<string, () => Promise<string>>> = {
  'redirect_uri is not registered for this client': async () =>
    (await walk(reach(service.issuer), { ...request, redirect_uri: 'https://a.example/' })).text,
  'client_id names no client of this service': async () =>
    (await walk(reach(service.issuer), { ...request, client_id: 'wikki' })).text,
  'An application asked to log you out and then to send you to an address that it did not register':
    async () => {
      const query = 'client_id=photo-printer&post_logout_redirect_uri=https://a.example/'
      return (await new Browser(reach(service.issuer)).ask(`/logout?${query}`)).text
    },
  'parameter code_challenge is missing: a public client has to use PKCE': async () => {
    const parameters = { client_id: 'gallery', redirect_uri: 'http://127.0.0.1:6750/gallery' }
    const answer = await walk(reach(service.issuer), { ...request, ...parameters })
    return answerOf(answer).error_description ?? ''
  },
  'the client is not registered for this response_type': async () => {
    const parameters = { ...request, response_type: 'code id_token', nonce: 'n-1' }
    return answerOf(await walk(reach(service.issuer), parameters)).error_description ?? ''
  },
  'only requests to HTTPS are allowed': () => complaintsOf(discover(undefined, undefined, [])),
  'discovered metadata issuer does not match the expected issuer': () => {
    const other = service.issuer.replace('127.0.0.1', 'localhost')
    return complaintsOf(discover(undefined, other))
  },
  'server responded with a challenge in the WWW-Authenticate HTTP Header': async () =>
    complaintsOf(redeem(await discover('wrong'), await locationOf({}))),
  'unexpected "state" response parameter value': async () =>
    complaintsOf(redeem(await discover(), await locationOf({}), { expectedState: 'other' })),
  '"response" body "id_token" property must be a string': async () => {
    const location = await locationOf({ scope: 'profile' })
    return complaintsOf(redeem(await discover(), location, { idTokenExpected: true }))
  },
  'the code is unknown, expired, used, or was issued for another client or redirect_uri':
    async () => {
      const location = await locationOf({})
      await redeem(await discover(), location)
      return complaintsOf(redeem(await discover(), location))
    },
  'the access token does not allow this': async () => {
    const tokens = await redeem(await discover(), await locationOf({ scope: 'photos' }))
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    return (await reach(service.issuer).ask('/userinfo', { headers })).text
  },
}

describe('a message in docs/login.md', () => {
  for (const [message, provoke] of Object.entries(mistakes)) {
    test(message, async () => {
      const said = await provoke()
      assert.ok(said.includes(message), said)
    })
  }

  test('is provoked here, beside those that Passport holds in its source', () => {
    const ofPassport = explained.filter(({ where }) => where === 'Passport')
    const source = ['strategy.js', 'state/session.js']
      .map((name) => join(root, 'node_modules/passport-openidconnect/lib', name))
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n')
    assert.equal(ofPassport.length, 2)
    for (const { message } of ofPassport) assert.ok(source.includes(message), message)
    assert.deepEqual(
      explained.filter(({ where }) => where !== 'Passport').map(({ message }) => message),
      Object.keys(mistakes),
    )
  })
})
