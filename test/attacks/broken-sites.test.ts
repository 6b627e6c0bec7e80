/** Attacks: sites that break off in every way, on every path out of the service. The service lives. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { defaultLimits } from '../../src/config/settable-limits.ts'
import { operatorOf } from '../flows/operator.ts'
import { askBackchannel, backchannelGrant, decideAnew } from '../support/backchannel.ts'
import { Browser } from '../support/browser.ts'
import { type KeyPair, keySetOf, newKeys, objectClaims, sign } from '../support/client-keys.ts'
import { type CodeProvider, openCodeProvider } from '../support/code-provider.ts'
import {
  type FaultySite,
  openFaultySite,
  type protocols,
  siteFaults,
  unreachable,
  unreachableName,
} from '../support/faulty-site.ts'
import { logInAt, logoutPath, registerClient } from '../support/logout.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'
import { register, requestOf, tryRegister } from '../support/registered.ts'
import { type Started, start } from '../support/start.ts'
import { formTo, leave, upstreamsOf } from '../support/upstream.ts'

let keys: KeyPair
let provider: CodeProvider
before(async () => {
  keys = await newKeys('RS256', 'k-1')
  provider = await openCodeProvider()
})
after(() => provider.close())

const begin = async (service: Started, id: string): Promise<unknown> => {
  const browser = new Browser(service)
  const { action, fields } = formTo(await browser.go('/login'), `/login/with/${id}`)
  return browser.ask(action, fields)
}

/** Each way out: its protocol, and what makes the service go it. */
const ways: Readonly<
  Record<
    string,
    readonly [
      protocol: keyof typeof protocols,
      go: (service: Started, url: string) => Promise<unknown>,
    ]
  >
> = {
  // These two before the others: they hear of what the others do.
  'a webhook': [
    'http',
    async (service) => {
      await service.advance(1)
      await register(service)
      await service.advance(1)
    },
  ],
  'a mail server': [
    'smtp',
    async (service) => {
      const browser = new Browser(service)
      await browser.submit(await browser.go('/forgot'), { username: 'alice' })
      await service.advance(1)
    },
  ],
  'a document': [
    'http',
    (service, url) =>
      service.ask(authorizePath({ ...codeRequest, client_id: `${url}/client.json` })),
  ],
  'a key set': [
    'http',
    async (service, url) => {
      const client = await register(service, { jwks_uri: `${url}/keys` })
      const request = await sign(objectClaims(service, client), keys)
      await service.ask(authorizePath(requestOf(client, { request })))
    },
  ],
  'a sector': [
    'http',
    (service, url) =>
      tryRegister(service, { subject_type: 'pairwise', sector_identifier_uri: `${url}/sector` }),
  ],
  'a request object': [
    'http',
    async (service, url) => {
      const uri = `${url}/request`
      const client = await register(service, { jwks: keySetOf(keys), request_uris: [uri] })
      await service.ask(authorizePath(requestOf(client, { request_uri: uri })))
    },
  ],
  'a logo': [
    'http',
    async (service, url) => {
      const operator = await operatorOf(service)
      const json = { redirect_uris: [callback], logo_uri: `${url}/logo.png` }
      const { body } = await operator('POST', 'clients', json)
      const browser = new Browser(service)
      await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
      await browser.go(authorizePath({ ...codeRequest, client_id: body.client_id }))
      await service.advance(1)
    },
  ],
  'a logout notice': [
    'http',
    async (service, url) => {
      const client = await registerClient(service, { backchannel_logout_uri: `${url}/logout` })
      const { browser, idToken } = await logInAt(service, client)
      await browser.ask(logoutPath({ id_token_hint: idToken }))
      await service.advance(1)
    },
  ],
  'a ping': [
    'http',
    async (service, url) => {
      const operator = await operatorOf(service)
      const json = {
        grant_types: [backchannelGrant],
        response_types: [],
        backchannel_token_delivery_mode: 'ping',
        backchannel_client_notification_endpoint: `${url}/ping`,
      }
      const { body } = await operator('POST', 'clients', json)
      const client = [body.client_id, body.client_secret] as const
      const form = { client_notification_token: 'a-token' }
      await decideAnew(service, await askBackchannel(service, form, client))
      await service.advance(1)
    },
  ],
  'a picture of a person': [
    'http',
    async (service, url) => {
      const browser = new Browser(service)
      const there = await leave(browser, await browser.go('/login'))
      const back = provider.logIn(there, 'somebody', { picture: `${url}/me.png` })
      const { action, fields } = formTo(await browser.go(back), '/login/with/other/new')
      await browser.go(action, fields)
      await service.advance(1)
      const { text } = await browser.go('/account/profile')
      assert.match(text, /somebody/)
      assert.doesNotMatch(text, /<img/)
    },
  ],
  'an OpenID provider': ['http', (service) => begin(service, 'oidc')],
  'a directory': [
    'ldap',
    async (service) => {
      const browser = new Browser(service)
      const page = await browser.go('/login/with/ldap')
      const typed = { username: 'eve', password: 'a password' }
      await browser.submitForm(page, formTo(page, '/login/with/ldap'), typed)
    },
  ],
}

const openService = (urlOf: (way: string) => string): Promise<Started> =>
  start({
    // All of these sites are one host.
    limits: { ...defaultLimits, fetchesPerHost: 32 },
    smtp: urlOf('a mail server'),
    mailFrom: 'login@service.example',
    webhooks: [
      {
        id: 'audit',
        url: urlOf('a webhook'),
        secrets: [`whsec_${Buffer.alloc(32, 7).toString('base64')}`],
        events: null,
      },
    ],
    upstreams: upstreamsOf([
      {
        id: 'oidc',
        title: 'A',
        type: 'oidc',
        issuer: urlOf('an OpenID provider'),
        client_id: 'us',
      },
      { ...provider.upstream, sign_up: true },
    ]).concat(
      upstreamsOf([
        { id: 'ldap', title: 'B', type: 'ldap', url: 'ldap://127.0.0.1', base_dn: 'dc=a' },
      ])
        // The settings take no plain LDAP to elsewhere, and no route leads anywhere else.
        .map((one) => ({ ...one, url: urlOf('a directory') }) as never),
    ),
    resolve: async (host) => (host === unreachableName ? [unreachable] : []),
  })

for (const fault of siteFaults) {
  describe(fault, () => {
    let service: Started
    const sites = new Map<string, FaultySite>()
    before(async () => {
      for (const [way, [protocol]] of Object.entries(ways)) {
        sites.set(way, await openFaultySite(protocol, fault))
      }
      service = await openService((way) => sites.get(way)?.url ?? '')
    })
    after(async () => {
      for (const site of sites.values()) site.close()
      await service.close()
    })

    for (const [way, [, go]] of Object.entries(ways)) {
      test(way, async () => {
        const { url, isMet, isAsked, whenMet, close } = sites.get(way) ?? assert.fail()
        const going = go(service, url)
        await Promise.race([going, ...(isMet ? [whenMet] : [])])
        assert.equal((await service.ask('/health/live')).status, 200)
        // Whoever waits for silence waits no longer.
        if (fault === 'silence') close()
        await going
        assert.equal((await service.ask('/health/live')).status, 200)
        assert.equal(isAsked(), isMet)
      })
    }
  })
}
