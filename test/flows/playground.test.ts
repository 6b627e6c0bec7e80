/** The playground: every flow to its end, every way to break it, and nothing of it outside the demo. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { badgeGrant } from '../../examples/badge-grant.ts'
import { extendGrant } from '../../src/grants/extension.ts'
import { type Listener, listen } from '../../src/http/listen.ts'
import { openRequests, requestForms } from '../support/backchannel.ts'
import { Browser, formsOf, type Page } from '../support/browser.ts'
import {
  answered,
  isOther,
  linkOf,
  meaningOf,
  messagesOf,
  Player,
  statusesOf,
  unescaped,
  unexplained,
} from '../support/player.ts'
import { type Started, start } from '../support/start.ts'

const started = await start({ grants: [extendGrant(badgeGrant)] })
const host = new URL(started.issuer).host
after(() => started.close())

let player: Player
beforeEach(() => {
  player = new Player(started)
})

const play = (flow: string, steps: readonly string[]): Promise<Page> => player.play(flow, steps)

describe('flows through the browser', () => {
  test('authorization code: asked, allowed, exchanged, read', async () => {
    const back = await player.visit('code')
    assert.match(back.url, /\/playground\/code\?step=arrive$/)
    assert.match(back.text, /the client believes the answer/)
    const [redirect = '', brought = ''] = messagesOf(back)
    const [, location] = /^HTTP\/1\.1 302 Found\nLocation: (\S+)\n$/.exec(redirect) ?? []
    assert.equal(brought.split(' ')[1], location?.replace(`http://${host}`, ''))
    assert.match(brought, /^GET \/callback\?code=lk_ac_\S+&state=code\.\S+ HTTP/)
    for (const name of ['location', 'code', 'state', 'iss']) {
      assert.match(back.text, new RegExp(`<dt><code>${name}</code></dt><dd><code>[^<]+</code><br>`))
    }
    assert.deepEqual(unexplained(back), [])
    await play('code', ['exchange', 'read'])
    const asked = await player.show('code', 'ask')
    assert.match(messagesOf(asked)[0] ?? '', /^GET \/authorize\?response_type=code&/)
    assert.equal(messagesOf(asked)[1], redirect)
  })

  test('with PKCE: the verifier is the one behind the challenge', async () => {
    await player.visit('pkce')
    const page = await play('pkce', ['exchange-with-verifier', 'read'])
    assert.deepEqual(statusesOf(page), [200])
  })

  test('APIs elsewhere: one approval, and a token for each', async () => {
    await play('audience', ['add-apis', 'register-agent'])
    const back = await player.visit('audience', 'allow', 'ask-two')
    assert.match(back.text, /the client believes the answer/)
    const added = await player.show('audience', 'add-apis')
    assert.deepEqual(statusesOf(added), [200, 201, 201])
    await play('audience', ['one-token-each'])
    const told = await play('audience', ['apis-ask'])
    assert.deepEqual(
      [0, 1].map((at) => [answered(told, at).active, answered(told, at).aud]),
      [
        [true, ['https://orders.example.com']],
        [true, ['https://mcp.example.com/tools']],
      ],
    )
    const broken = async (step: string) => {
      const page = await player.press('audience', step)
      assert.deepEqual([step, isOther(page), unexplained(page)], [step, false, []])
      assert.notEqual(meaningOf(page), '')
      return page
    }
    assert.deepEqual(answered(await broken('passed-on')), { active: false })
    assert.deepEqual(statusesOf(await broken('built-in-with-it')), [401])
    assert.equal(answered(await broken('wider-audience')).error, 'invalid_target')
    const [, refused = ''] = messagesOf(await broken('unknown-audience'))
    assert.match(refused, /[?&]error=invalid_target&/)
    const removed = await play('audience', ['remove-apis'])
    assert.deepEqual(statusesOf(removed), [200, 204, 204, 200, 204])
    assert.deepEqual(answered(removed, 3), { active: false })
    assert.equal(await player.has('audience', 'apis-ask'), undefined)
  })

  test('one item in detail: it alone is read, and no refresh asks for more', async () => {
    await play('details', ['choose-photo'])
    const back = await player.visit('details', 'allow', 'ask-photo')
    assert.match(back.text, /the client believes the answer/)
    const granted = answered(await play('details', ['exchange-details']))
    assert.equal(granted.scope, '')
    const [{ identifier, ...detail }] = granted.authorization_details as [
      { readonly identifier: string },
    ]
    assert.deepEqual(detail, { type: 'photos', actions: ['read'] })
    assert.equal(answered(await play('details', ['read-photo'])).id, identifier)
    for (const [step, status, error] of [
      ['read-all-photos', 403, 'insufficient_scope'],
      ['grow-at-refresh', 400, 'invalid_authorization_details'],
      ['undeclared-member', 302, undefined],
    ] as const) {
      const page = await player.press('details', step)
      assert.deepEqual([step, statusesOf(page), isOther(page)], [step, [status], false])
      assert.notEqual(meaningOf(page), '')
      if (error !== undefined) assert.ok(messagesOf(page).join().includes(error))
    }
  })

  test('a television: pending, approved on a telephone, redeemed once', async () => {
    await play('device', ['ask-device', 'poll-early'])
    const step = await player.show('device', 'enter-code')
    assert.match(step.text, /<svg class="qr"/)
    for (const name of ['sent-code', 'guessed-code', 'foreign-poll'] as const) {
      const page =
        name === 'sent-code'
          ? await player.show('device', name)
          : await player.press('device', name)
      assert.deepEqual([name, isOther(page)], [name, false])
      assert.notEqual(meaningOf(page), '')
    }
    const { browser } = player
    const entry = await browser.go(linkOf(step))
    const login = await browser.submit(entry)
    const asking = await browser.logIn(login, 'alice', 'wonderland')
    const consent = await browser.submit(asking, { decision: 'continue' })
    const end = await browser.submit(consent, { decision: 'allow' })
    assert.match(end.text, /Your device goes on/)
    await play('device', ['poll', 'read'])
    const again = await player.press('device', 'second-poll')
    assert.equal(answered(again).error, 'invalid_grant')
    assert.equal(isOther(again), false)
  })

  test('a grant: begun, widened, seen and given back by its client', async () => {
    await play('grants', ['add-bookkeeper'])
    await player.visit('grants', 'allow', 'ask-grant')
    const { grant_id: id } = answered(await play('grants', ['exchange-grant']))
    const seen = answered(await play('grants', ['see-grant']), 1)
    assert.deepEqual(seen.scopes, [
      { scope: 'photos:read', resource: [`${started.issuer}/api/photos`] },
    ])
    await player.visit('grants', 'allow', 'ask-more')
    const changed = answered(await play('grants', ['exchange-more']))
    assert.deepEqual([changed.grant_id, changed.scope], [id, 'contacts:read photos:read'])
    for (const [step, statuses] of [
      ['foreign-grant', [302]],
      ['grant-by-owner-token', [403]],
      ['unregistered-permission', [400]],
    ] as const) {
      const page = await player.press('grants', step)
      assert.deepEqual([step, statusesOf(page), isOther(page)], [step, statuses, false])
      assert.notEqual(meaningOf(page), '')
    }
    assert.deepEqual(statusesOf(await play('grants', ['give-back'])), [200, 204])
  })

  test('open registration: what nobody knows is dropped, and the rest is a client', async () => {
    const registered = await play('open-registration', ['register-native'])
    const { redirect_uris, grant_types, scope, application_type, ...more } = answered(registered)
    assert.deepEqual(
      [grant_types, scope, application_type, 'invented' in more],
      [['authorization_code', 'refresh_token'], 'contacts:read photos:read', 'native', false],
    )
    assert.deepEqual(redirect_uris, [
      'cursor://anysphere.cursor-retrieval/oauth/callback',
      'com.example.editor:/callback',
      `http://${host}/callback`,
    ])
    const back = await player.visit('open-registration', 'allow', 'ask-native')
    assert.match(back.text, /the client believes the answer/)
    await play('open-registration', ['exchange-native', 'read'])
    const page = await player.press('open-registration', 'other-native-redirect')
    assert.deepEqual([statusesOf(page), isOther(page)], [[400], false])
  })

  test('paused: nothing works, nothing is lost, and the owner resumes', async () => {
    await player.visit('pause')
    await play('pause', ['exchange', 'pause'])
    assert.deepEqual(statusesOf(await play('pause', ['while-paused'])), [401, 200, 503])
    const paused = await player.show('pause', 'while-paused')
    const [unread = '', inactive = '', later = ''] = messagesOf(paused).filter((message) =>
      message.startsWith('HTTP/1.1'),
    )
    assert.match(unread, /error="invalid_token"/)
    assert.match(inactive, /\n{"active":false}$/)
    assert.match(later, /\nRetry-After: 300\n[\s\S]*"temporarily_unavailable"/)
    for (const [step, statuses] of [
      ['refresh-in-a-loop', [503, 503, 503]],
      ['resume-itself', [401]],
    ] as const) {
      const page = await player.press('pause', step)
      assert.deepEqual([statusesOf(page), isOther(page)], [statuses, false])
      assert.notEqual(meaningOf(page), '')
    }
    const back = await player.visit('pause', 'allow', 'ask-to-resume')
    assert.match(back.url, /step=arrive-resumed$/)
    assert.match(back.text, /the client believes the answer/)
    assert.deepEqual(statusesOf(await play('pause', ['works-again'])), [200, 200, 200])
    assert.deepEqual(statusesOf(await player.show('pause', 'while-paused')), [401, 200, 503])
  })

  test('implicit: the fragment is pasted', async () => {
    const asked = await player.show('implicit')
    const link = unescaped(/href="([^"]*\/authorize[^"]*)"/.exec(asked.text)?.[1] ?? '')
    let page = await player.browser.go(link)
    page = await player.browser.logIn(page, 'alice', 'wonderland')
    const form = formsOf(page.text)[0]
    assert.ok(form)
    const decided = await player.browser.ask(form.action, { ...form.fields, decision: 'allow' })
    const sent = await player.browser.ask(decided.headers.get('location') ?? '')
    const address = sent.headers.get('location') ?? ''
    assert.match(address, new RegExp(`^http://${host}/gallery#access_token=lk_at_`))
    // A script goes on from here. Without one, the page leads to where the address is pasted.
    const landed = await player.browser.go(address.split('#')[0] ?? '')
    assert.match(landed.text, /href="\/playground\/implicit\?step=arrive-fragment"/)
    const taken = await player.press('implicit', 'arrive-fragment', { typed: address })
    assert.match(taken.text, /the client believes the answer/)
    const [redirect = '', brought = ''] = messagesOf(taken)
    assert.ok(redirect.includes(`Location: ${address}\n`))
    assert.match(brought, /^GET \/gallery HTTP/)
    assert.deepEqual(unexplained(taken), [])
    await play('implicit', ['read'])
  })

  test('denied: told, and no code to exchange', async () => {
    const back = await player.visit('pkce', 'deny')
    assert.match(back.text, /the answer is a no/)
    assert.equal(await player.has('pkce', 'exchange-with-verifier'), undefined)
  })

  test('an answer is taken once: the same address again is forged', async () => {
    await player.visit('code')
    const came = await player.show('code', 'arrive')
    const path = /^GET (\S+)/.exec(messagesOf(came)[1] ?? '')?.[1] ?? ''
    const again = await player.browser.go(path)
    assert.match(again.url, /step=forged-state$/)
    assert.match(again.text, /throws the answer away/)
  })

  test('an answer of another issuer is thrown away', async () => {
    const page = await player.show('code')
    const state = /state=(code\.[\w.-]+)/.exec(page.text)?.[1]
    const back = await player.browser.go(`/callback?code=x&state=${state}&iss=https://evil.example`)
    assert.match(back.text, /another server than the one that was asked/)
    assert.equal(await player.has('code', 'exchange'), undefined)
  })
})

describe('flows without a browser', () => {
  const flows: Readonly<Record<string, readonly string[]>> = {
    password: ['password', 'read'],
    'client-credentials': ['credentials', 'own-write', 'own-write', 'own-read'],
    refresh: ['first-tokens', 'refresh', 'lost-answer', 'refresh-again'],
    api: ['api-tokens', 'by-header', 'by-query', 'by-body', 'create', 'change', 'delete'],
    introspection: ['first-tokens', 'introspect', 'introspect-refresh', 'introspect-unknown'],
    revocation: ['first-tokens', 'introspect', 'revoke', 'after-revocation'],
    registration: ['register', 'read-registration', 'change-registration', 'delete-registration'],
    'forward-auth': ['first-tokens', 'proxy-asks', 'proxy-lets-in'],
    metadata: ['challenge', 'resource-metadata', 'server-metadata'],
  }
  for (const [flow, steps] of Object.entries(flows)) {
    test(`${flow}: every step is answered as it says`, async () => {
      await play(flow, steps)
    })
  }

  test('refresh: a lost answer brings the very same refresh token', async () => {
    const first = await play('refresh', ['first-tokens', 'refresh'])
    const second = await play('refresh', ['lost-answer'])
    assert.equal(answered(second).refresh_token, answered(first).refresh_token)
  })

  test('backchannel: the owner decides in another browser', async () => {
    const asked = await play('backchannel', ['backchannel-ask', 'backchannel-wait'])
    assert.equal(answered(asked).error, 'authorization_pending')
    assert.deepEqual(unexplained(asked), [])
    const { browser, page } = await openRequests(started)
    const [form] = requestForms(page)
    assert.ok(form)
    await browser.submitForm(page, form, { decision: 'allow' })
    await play('backchannel', ['backchannel-redeem', 'read'])
    for (const step of [
      'backchannel-other-client',
      'backchannel-used',
      'backchannel-stranger',
      'backchannel-message',
    ]) {
      const broken = await player.press('backchannel', step)
      assert.deepEqual([step, isOther(broken), unexplained(broken)], [step, false, []])
      assert.notEqual(meaningOf(broken), '')
    }
  })

  test('expiry: a token works, and three seconds later it does not', async () => {
    await play('expiry', ['short-client', 'short-token'])
    const early = await player.press('expiry', 'expired')
    assert.equal(isOther(early), true)
    await started.advance(4)
    const page = await play('expiry', ['expired'])
    assert.equal(answered(page, 1).active, false)
    assert.equal(await player.has('expiry', 'expired'), undefined)
    const { rows } = await started.server().store.listClients(null, 100)
    assert.equal(rows.filter(({ name }) => name === 'Short Lived').length, 0)
  })

  test('token exchange: a helper acts, until its application is removed', async () => {
    await play('exchange', ['add-desk', 'desk-token', 'exchange-token', 'act-for-alice'])
    const actor = { sub: 'helper', client_id: 'helper' }
    const before = await player.show('exchange', 'desk-token')
    const told = await player.show('exchange', 'exchange-token')
    assert.deepEqual(answered(before, 1).may_act, actor)
    assert.deepEqual([answered(told).scope, answered(told, 1).act], ['photos:read', actor])
    assert.equal(answered(told, 1).sub, answered(before, 1).sub)
    for (const [step, statuses, error] of [
      ['exchange-wider', [400], 'invalid_scope'],
      ['exchange-foreign', [200, 400], 'invalid_request'],
      ['exchange-chain', [200, 200, 200, 200, 400], 'invalid_request'],
      ['exchange-ended', [200, 200, 200, 401, 400], 'invalid_request'],
      ['exchange-bound', [200, 400, 200, 401], 'invalid_token'],
    ] as const) {
      const page = await player.breakIt('exchange', step)
      assert.deepEqual([step, statusesOf(page)], [step, statuses])
      assert.equal(answered(page, statuses.length - 1).error, error)
    }
    const chain = await player.show('exchange', 'exchange-chain')
    const { act } = answered(chain, 3)
    assert.deepEqual(act, { ...actor, act: { ...actor, act: { ...actor, act: actor } } })
    const removed = await play('exchange', ['remove-desk'])
    assert.deepEqual(statusesOf(removed), [200, 204, 401])
    assert.equal(await player.has('exchange', 'exchange-wider'), undefined)
  })

  test('signals: an API hears of less, and of the end', async () => {
    await play('signals', ['open-stream', 'signal-token', 'narrow-and-hear'])
    const narrowed = await player.show('signals', 'narrow-and-hear')
    assert.match(narrowed.text, /token-claims-change/)
    for (const [step, statuses] of [
      ['foreign-stream', [404]],
      ['stream-of-no-api', [403]],
      ['unproven-poll', [401]],
      ['stream-by-owner-token', [403]],
      ['push-inside', [400]],
      ['set-for-other', [200]],
    ] as const) {
      const page = await player.breakIt('signals', step)
      assert.deepEqual([step, statusesOf(page)], [step, statuses])
    }
    await play('signals', ['end-and-hear'])
    assert.match((await player.show('signals', 'end-and-hear')).text, /session-revoked/)
    const closed = await play('signals', ['close-stream'])
    assert.deepEqual(statusesOf(closed), [204, 404, 200, 204, 204, 204])
  })

  test('an extension grant: its parameters are typed', async () => {
    await play('extension', ['register-extension'])
    const page = await player.press('extension', 'extension', {
      typed: `grant_type=${badgeGrant.type}\nbadge=04:a2:19:7c\n`,
    })
    assert.deepEqual([statusesOf(page), isOther(page)], [[200], false])
    await play('extension', ['read'])
  })
})

describe('ways to break it', () => {
  const broken = async (flow: string, step: string): Promise<Page> => {
    const page = await player.press(flow, step)
    assert.deepEqual([step, isOther(page)], [step, false], page.text)
    assert.notEqual(meaningOf(page), '', page.text)
    return page
  }

  test('a forged state', async () => {
    const page = await broken('code', 'forged-state')
    assert.match(page.text, /throws the answer away/)
    assert.match(page.text, /<g class="cross"[\s\S]*<figcaption><p>[^<]*: refused<\/p>/)
    assert.equal(await player.has('code', 'exchange'), undefined)
    assert.match((await broken('pkce', 'forged-state')).url, /\/playground\/pkce\?/)
  })

  test('a changed redirect URI, at both ends; the code survives it', async () => {
    assert.doesNotMatch((await player.show('code', 'changed-redirect')).text, /class="cross"/)
    const refused = await broken('code', 'changed-redirect')
    assert.deepEqual(statusesOf(refused), [400])
    // The page that a browser shows stands there in words, and its source is folded.
    const [, shown = ''] = /<figure class="shown">([\s\S]*?)<\/figure>/.exec(refused.text) ?? []
    assert.match(shown, /<p class="is-h1">The application must fix this[^<]*<\/p>/)
    assert.match(shown, /\/callback<mark>s<\/mark>/)
    assert.doesNotMatch(shown, /<(a|form|button|input|script|h1)\b/)
    assert.match(refused.text, /<details><summary>Source of the page<\/summary><pre /)
    assert.match(
      refused.text,
      /<g class="cross"[\s\S]*<p>Client → Authorization server: refused<\/p>/,
    )
    await player.visit('code')
    const page = await broken('code', 'other-redirect')
    assert.equal(answered(page).error, 'invalid_grant')
    await play('code', ['exchange'])
  })

  test('a replayed code ends what it earned', async () => {
    const offered = await player.show('code', 'replay')
    assert.match(linkOf(offered), /\/authorize\?/)
    await player.visit('code', 'allow', 'replay')
    const ready = await player.press('code', 'replay', { before: '1' })
    assert.match(ready.url, /step=replay$/)
    assert.deepEqual(statusesOf(ready), [])
    assert.deepEqual(statusesOf(await player.show('code', 'exchange')), [200])
    const page = await broken('code', 'replay')
    assert.deepEqual(statusesOf(page), [400, 200, 401])
    assert.deepEqual(answered(page, 1), { active: false })
  })

  test('a wrong verifier uses the code up', async () => {
    await player.visit('pkce')
    const page = await broken('pkce', 'wrong-verifier')
    assert.deepEqual(statusesOf(page), [400, 400])
    assert.equal(await player.has('pkce', 'exchange-with-verifier'), undefined)
  })

  test('a request without challenge, and one for a token by a client of codes', async () => {
    for (const [flow, step, error] of [
      ['pkce', 'no-challenge', 'invalid_request'],
      ['implicit', 'token-not-registered', 'unauthorized_client'],
    ] as const) {
      const [, answer = ''] = messagesOf(await broken(flow, step))
      assert.match(answer, new RegExp(`^HTTP/1.1 302 Found\\n[\\s\\S]*[?#&]error=${error}`))
    }
  })

  test('a stolen refresh token ends the family', async () => {
    assert.equal(await player.has('refresh', 'stolen-refresh'), undefined)
    await player.press('refresh', 'stolen-refresh', { before: '1' })
    const page = await broken('refresh', 'stolen-refresh')
    assert.deepEqual(statusesOf(page), [400, 200, 400])
    assert.deepEqual(answered(page, 1), { active: false })
  })

  const refused: readonly (readonly [string, string, string, readonly number[]])[] = [
    ['password', '', 'untrusted-password', [400]],
    ['client-credentials', '', 'wrong-secret', [401]],
    ['client-credentials', '', 'operator-scope', [400]],
    ['refresh', 'first-tokens', 'foreign-refresh', [400]],
    ['api', 'api-tokens', 'write-with-read', [403]],
    ['api', 'api-tokens', 'two-ways', [400]],
    ['api', 'api-tokens', 'query-kept', [400]],
    ['api', '', 'no-token', [401]],
    ['introspection', 'first-tokens', 'foreign-introspection', [200]],
    ['introspection', 'first-tokens', 'public-introspection', [401]],
    ['revocation', 'first-tokens', 'foreign-revocation', [400, 200]],
    ['revocation', '', 'unknown-revocation', [200]],
    ['forward-auth', 'first-tokens', 'proxy-no-token', [401]],
    ['forward-auth', 'first-tokens', 'proxy-write', [403]],
    ['forward-auth', 'first-tokens', 'proxy-other-api', [401]],
    ['forward-auth', 'first-tokens', 'proxy-unknown-api', [400]],
    ['registration', '', 'script-redirect', [400]],
    ['registration', '', 'self-trust', [400]],
    ['open-registration', '', 'one-bad-redirect', [400]],
    ['open-registration', '', 'wildcard-redirect', [400]],
    ['registration', 'register', 'foreign-registration', [401]],
  ]
  for (const [flow, before, step, statuses] of refused) {
    test(`${flow}: ${step}`, async () => {
      if (before !== '') await play(flow, [before])
      assert.deepEqual(statusesOf(await broken(flow, step)), statuses)
    })
  }

  test('whose token it is shows in what introspection says', async () => {
    await play('revocation', ['first-tokens'])
    assert.equal(answered(await broken('revocation', 'foreign-revocation'), 1).active, true)
    await play('introspection', ['first-tokens'])
    const foreign = await broken('introspection', 'foreign-introspection')
    assert.deepEqual(answered(foreign), { active: false })
  })
})

describe('a client that is a metadata document', () => {
  let listener: Listener
  let service: Started
  before(async () => {
    // The service fetches the document from itself, so it needs a port.
    listener = await listen({ port: 0, host: '127.0.0.1' })
    service = await start({ issuer: `http://127.0.0.1:${listener.port}` })
    listener.serve(service.server().respond, service.server().onFault)
  })
  beforeEach(() => {
    player = new Player(service)
  })
  after(async () => {
    await listener.close()
    await service.close()
  })

  test('is fetched, shown with its host, approved and used', async () => {
    const id = `${service.issuer}/documents/agent.json`
    const document = await play('document', ['read-document'])
    assert.equal(answered(document).client_id, id)
    const asked = await player.show('document', 'ask-by-document')
    const link = /<a class="button primary" href="([^"]*\/authorize[^"]*)"/.exec(asked.text)?.[1]
    const login = await player.browser.go(unescaped(link ?? ''))
    const consent = await player.browser.logIn(login, 'alice', 'wonderland')
    assert.match(consent.text, /First seen/)
    assert.ok(consent.text.includes(new URL(service.issuer).host))
    const back = await player.browser.submit(consent, { decision: 'allow' })
    assert.match(back.text, /the client believes the answer/)
    await play('document', ['exchange-by-document', 'read'])
  })

  const faults = [
    ['borrowed-document', 'document_client_id'],
    ['no-redirects', 'document_member_missing'],
    ['page-for-document', 'document_type'],
    ['secret-in-document', 'document_secret'],
  ] as const
  const notTaken = 'a client metadata document was not taken'
  for (const [step, reason] of faults) {
    test(`${step}: refused, and no client is stored`, async () => {
      const page = await player.press('document', step)
      assert.deepEqual([statusesOf(page), isOther(page)], [[200, 400], false])
      assert.notEqual(meaningOf(page), '')
      assert.deepEqual(unexplained(page), [])
      const { rows } = await service.server().store.listClients(null, 100)
      const documents = rows.map(({ id }) => id).filter((id) => id.startsWith('http:'))
      assert.deepEqual(
        documents.filter((id) => id !== `${service.issuer}/documents/agent.json`),
        [],
      )
      const told = service.notices.findLast(({ message }) => message === notTaken)
      assert.equal(told?.reason, reason)
    })
  }

  test('that does not exist is not found', async () => {
    const { status, body } = await service.ask('/documents/toString')
    assert.deepEqual([status, body.error], [404, 'not_found'])
  })
})

describe('the playground itself', () => {
  test('a run is of one browser, and is begun anew by a button', async () => {
    await play('password', ['password'])
    const other = new Player(started)
    assert.equal(await other.has('password', 'read'), undefined)
    const page = await player.show('password')
    const form = formsOf(page.text).find(({ fields }) => fields.step?.[0] === '')
    assert.ok(form)
    await player.browser.submitForm(page, form)
    assert.equal(await player.has('password', 'read'), undefined)
  })

  test('a form from elsewhere is refused, and nothing is sent', async () => {
    const before = started.notices.length
    for (const csrf of ['', 'x']) {
      const page = await player.browser.ask('/playground/password', { csrf, step: 'password' })
      assert.equal(page.status, 403)
    }
    const routes = started.notices.slice(before).map(({ route }) => route)
    assert.deepEqual(routes, ['/playground/:flow', '/playground/:flow'])
  })

  test('its requests are ordinary ones, and counted for whoever pressed the button', async () => {
    const before = started.notices.length
    await player.press('client-credentials', 'wrong-secret')
    const token = started.notices.slice(before).find(({ route }) => route === '/token')
    assert.deepEqual([token?.status, token?.reason], [401, 'wrong_secret'])
  })

  test('what came in is escaped, wherever it is shown', async () => {
    const evil = '"><script>alert(1)</script>'
    const pages = [
      await player.browser.go(`/callback?code=${encodeURIComponent(evil)}&state=code.x`),
      await player.press('implicit', 'arrive-fragment', {
        typed: `#error=${evil}&${evil}=${evil}`,
      }),
    ]
    await play('extension', ['register-extension'])
    pages.push(
      await player.press('extension', 'extension', { typed: `grant_type=${evil}\n${evil}` }),
    )
    for (const page of pages) {
      assert.equal(page.status, 200)
      assert.doesNotMatch(page.text, /<script>/)
    }
  })

  test('no cookie of the browser is shown', async () => {
    const back = await player.visit('code')
    for (const value of player.browser.cookies.values()) {
      assert.equal(back.text.includes(value), false)
    }
  })

  test('an issuer on [::1] is come back to there', async () => {
    const service = await start({ issuer: 'http://[::1]:6749' })
    const browser = new Browser(service)
    const page = await browser.go('/playground/code')
    const link = /<a class="button primary" href="([^"]*\/authorize[^"]*)"/.exec(page.text)?.[1]
    const login = await browser.go(unescaped(link ?? ''))
    const consent = await browser.logIn(login, 'alice', 'wonderland')
    const back = await browser.submit(consent, { decision: 'allow' })
    assert.match(back.url, /^http:\/\/\[::1\]:6749\/playground\/code\?step=arrive/)
    assert.match(back.text, /the client believes the answer/)
    await service.close()
  })

  test('redirect URIs stand at the root of the host, whatever path the issuer has', async () => {
    const service = await start({ issuer: 'http://127.0.0.1:6749/auth' })
    const back = await service.ask('http://127.0.0.1:6749/callback?state=code.x')
    assert.deepEqual(
      [back.status, back.headers.get('location')],
      [303, 'http://127.0.0.1:6749/auth/playground/code/arrival?state=code.x'],
    )
    const page = await service.ask('/playground/client-credentials')
    assert.match(page.text, /<strong>POST \/auth\/token HTTP\/1\.1<\/strong>/)
    await service.close()
  })

  test('unknown flows are not found, unknown steps begin the flow', async () => {
    assert.equal((await player.browser.ask('/playground/nothing')).status, 404)
    assert.equal((await player.browser.ask('/playground/password/arrival')).status, 404)
    assert.match((await player.show('code', 'nothing')).text, /Go there with this browser/)
  })

  test('its script is the only one, and comes from the service', async () => {
    const page = await player.show('code')
    assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self';/)
    const scripts = [...page.text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)
    assert.deepEqual(scripts, ['<script type="module" src="/assets/playground.js">'])
    const script = await started.ask('/assets/playground.js')
    assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8')
  })

  test('the command of a request sends the same request', async () => {
    const page = await player.show('client-credentials')
    const [, command = ''] = /<pre class="command"[^>]*>([\s\S]*?)<\/pre>/.exec(page.text) ?? []
    assert.equal(
      unescaped(command),
      [
        `curl -si http://${host}/token \\`,
        '  -u nightly-report:nightly-report-secret \\',
        '  -d grant_type=client_credentials \\',
        '  -d scope=calendar%3Aread+calendar%3Awrite',
      ].join('\n'),
    )
  })
})

describe('the first page', () => {
  test('leads to every flow', async () => {
    const home = await player.browser.go('/')
    const flows = [...home.text.matchAll(/href="\/playground\/([\w-]+)"/g)].map(([, name]) => name)
    assert.equal(flows.length, 38)
    for (const flow of flows) {
      assert.equal((await player.show(flow ?? '')).status, 200)
    }
    const documents = [...home.text.matchAll(/href="(\/docs\/[^"]*)"/g)].map(
      ([, path = '']) => path,
    )
    assert.ok(documents.includes('/docs/guard.md'))
    for (const path of documents) {
      const { status, headers, text } = await started.ask(path)
      assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain; charset=utf-8'])
      assert.match(text, /^# /)
    }
    for (const path of ['/docs/none.md', '/docs/..%2Fpackage.json', '/docs/pictures']) {
      assert.deepEqual([path, (await started.ask(path)).status], [path, 404])
    }
  })

  test('without extension grants there is none to play with', async () => {
    const plain = await start()
    assert.doesNotMatch((await plain.ask('/playground')).text, /extension/)
    assert.equal((await plain.ask('/playground/extension')).status, 404)
    await plain.close()
  })
})

describe('outside the demo', () => {
  const paths = [
    '/playground',
    '/playground/code',
    '/playground/code/arrival',
    '/assets/playground.js',
    '/documents/agent.json',
    '/docs/guard.md',
    '/logouts',
    '/logouts/photo-printer',
    '/callback',
    '/gallery',
  ]

  test('there is nothing of it', async () => {
    const service: Started = await start({ demo: false })
    for (const path of paths) {
      for (const method of ['GET', 'POST']) {
        const { status, body } = await service.ask(path, { method })
        assert.deepEqual([path, status, body?.error], [path, 404, 'not_found'])
      }
    }
    assert.doesNotMatch((await service.ask('/')).text, /playground|demo/i)
    const sheets = [service, started].map((one) => one.ask('/assets/latchkey.css'))
    const [plain = '', demo = ''] = (await Promise.all(sheets)).map(({ text }) => text)
    assert.deepEqual([/\.stepper/.test(plain), /\.stepper/.test(demo)], [false, true])
    for (const rule of ['fieldset {', 'summary {', 'table {']) assert.ok(plain.includes(rule))
    await service.close()
  })
})
