/**
 * Refused requests on a page: the value received, the value expected, and a command as the remedy.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ClientId } from '../../src/model/ids.ts'
import { exactText, factsOf } from '../rules/pages/reading.ts'
import { trace } from '../store/moments.ts'
import { sampleClient } from '../store/sample.ts'
import { askFor, enter } from '../support/authorization.ts'
import { formsOf } from '../support/browser.ts'
import { latchkeyAdmin } from '../support/demo-clients.ts'
import { callback, codeRequest } from '../support/printing.ts'
import { askAsCurl, openShell } from '../support/shell.ts'
import { type Answer, start, startBefore } from '../support/start.ts'

const shell = openShell()
after(() => shell.close())

let adminToken: string

const demo = startBefore(start, async () => {
  const form = { grant_type: 'client_credentials' }
  adminToken = (await demo.post('/token', form, latchkeyAdmin)).body.access_token
})

const other = 'https://other.example/callback'

const withClient = async (id: string, change: object): Promise<void> => {
  const client = sampleClient({ id: id as ClientId, ...change })
  assert.equal(await demo.server().store.createClient(client, trace()), 'created')
}

const developer = /<h1>The application must fix this<\/h1>/
const operator = /<h1>The operator must fix this<\/h1>/

/** Runs the command of a page. */
const mend = (page: Answer): Promise<Answer> => {
  const [command = ''] = commandsOf(page)
  return askAsCurl(shell.argumentsOf(command), adminToken, demo)
}

const commandsOf = ({ text }: Answer): readonly string[] =>
  [...text.matchAll(/<pre class="command"[^>]*>(.*?)<\/pre>/gs)].map(([, inside = '']) =>
    exactText(inside),
  )

const isOnItsWay = (answer: Answer): void => {
  assert.match(answer.headers.get('location') ?? '', /^\/login\?journey=/, answer.text)
}

describe('in the demo a page says what came, what was expected and what mends it', () => {
  test('an unknown client: the command registers it, and the same request is followed', async () => {
    const changes = { client_id: 'photo-printr', redirect_uri: other }
    const page = await askFor(demo, changes)
    assert.match(page.text, developer)
    assert.deepEqual(factsOf(page.text), [
      ['Received', 'photo-printr'],
      ['Expected', 'the client_id of a client that is registered here'],
    ])
    const made = await mend(page)
    assert.deepEqual([made.status, made.body.client_id], [201, 'photo-printr'])
    isOnItsWay(await askFor(demo, changes))
  })

  test('an id that no client can have, asking for what cannot be registered: still one that works', async () => {
    for (const response_type of ['code', 'token']) {
      const page = await askFor(demo, {
        client_id: "a'; touch broken; '",
        redirect_uri: 'javascript:alert(1)',
        response_type,
      })
      assert.match(page.text, /the client_id to send/)
      assert.equal(/its secret/.test(page.text), response_type === 'code')
      const made = await mend(page)
      assert.equal('client_secret' in made.body, response_type === 'code')
      assert.equal(made.status, 201, made.text)
      assert.deepEqual(made.body.redirect_uris, ['https://app.example/callback'])
      assert.deepEqual(made.body.response_types, [response_type])
    }
  })

  test('an unknown client that asks for a token at once: no secret is promised, and none comes', async () => {
    const changes = { client_id: 'photo-wall', redirect_uri: other, response_type: 'token' }
    const page = await askFor(demo, changes)
    assert.match(page.text, /and check its name and address first\.<\/p>/)
    assert.doesNotMatch(page.text, /secret this once/)
    const made = await mend(page)
    assert.deepEqual([made.status, 'client_secret' in made.body], [201, false])
    isOnItsWay(await askFor(demo, changes))
  })

  test('a disabled client: the operator has to act, and the command enables it', async () => {
    await withClient('resting', { disabled: true, redirectUris: [other] })
    const changes = { client_id: 'resting', redirect_uri: other }
    const page = await askFor(demo, changes)
    assert.match(page.text, operator)
    assert.match(page.text, /<p class="cause">client_id names no client of this service\.<\/p>/i)
    assert.equal((await mend(page)).status, 200)
    isOnItsWay(await askFor(demo, changes))
  })

  test('a redirect URI that is not registered: the command registers it too', async () => {
    const page = await askFor(demo, { redirect_uri: other })
    assert.deepEqual(factsOf(page.text), [
      ['Received', other],
      ['Expected', callback],
    ])
    const { status, body } = await mend(page)
    assert.deepEqual([status, body.redirect_uris], [200, [callback, other]])
    isOnItsWay(await askFor(demo, { redirect_uri: other }))
  })

  test('the commands of two pages that were open at once both hold, each however often', async () => {
    await withClient('two-pages', { redirectUris: [callback] })
    const asking = (redirect_uri: string) => askFor(demo, { client_id: 'two-pages', redirect_uri })
    const addresses = ['https://one.example/', 'https://two.example/']
    const pages = await Promise.all(addresses.map(asking))
    for (const page of [...pages, ...pages]) assert.equal((await mend(page)).status, 200)
    for (const address of [callback, ...addresses]) isOnItsWay(await asking(address))
  })

  test('one that nobody can register: the command sends one that is', async () => {
    for (const [redirect_uri, fault] of [
      ['http://a.example/', /It is http but not on a loopback address, so it cannot be registered/],
      [
        'javascript:alert(1)',
        /It has a scheme that is neither https nor private to an application/,
      ],
      ['https://a.example/#x', /It has a fragment/],
    ] as const) {
      const page = await askFor(demo, { redirect_uri })
      assert.match(page.text, fault)
      isOnItsWay(await mend(page))
    }
  })

  test('none, where there are several: the command sends the first', async () => {
    await withClient('several', { redirectUris: [callback, other] })
    const page = await askFor(demo, { client_id: 'several', redirect_uri: undefined })
    assert.match(page.text, developer)
    assert.deepEqual(factsOf(page.text), [
      ['Received', 'nothing'],
      ['Expected', callback],
      ['or', other],
    ])
    isOnItsWay(await mend(page))
  })

  test('a client that was never sent back anywhere: the command registers it for that', async () => {
    for (const redirect_uri of [other, undefined]) {
      const client_id = `service-${String(redirect_uri).length}`
      await withClient(client_id, {
        redirectUris: [],
        grantTypes: ['client_credentials'],
        responseTypes: [],
      })
      const { status, body } = await mend(await askFor(demo, { client_id, redirect_uri }))
      assert.equal(status, 200)
      assert.deepEqual(body.response_types, ['code'])
      isOnItsWay(await askFor(demo, { client_id, redirect_uri: body.redirect_uris[0] }))
    }
  })

  test('a client with as many as there may be is given no command that would be refused', async () => {
    const redirectUris = Array.from({ length: 20 }, (_, at) => `https://app.example/${at}`)
    await withClient('full', { redirectUris })
    const page = await askFor(demo, { client_id: 'full', redirect_uri: other })
    assert.match(page.text, /No other can be added/)
    assert.deepEqual(commandsOf(page), [])
  })

  test('no client_id: the command lists the clients there are', async () => {
    const page = await askFor(demo, { client_id: undefined })
    const { status, body } = await mend(page)
    assert.equal(status, 200)
    assert.ok(body.items.some(({ client_id }: { client_id: string }) => client_id === 'gallery'))
  })

  test('a parameter that came twice: the command sends it once', async () => {
    for (const name of ['client_id', 'redirect_uri'] as const) {
      const page = await askFor(demo, { [name]: [codeRequest[name] ?? '', 'again'] })
      assert.deepEqual(factsOf(page.text), [
        ['Received', codeRequest[name]],
        ['and', 'again'],
        ['Expected', `${name} once`],
      ])
      isOnItsWay(await mend(page))
    }
  })

  test('a request that cannot be read: what of it came, and the form it should have', async () => {
    for (const path of ['/authorize?client_id=%ff&state=a', '/authorize?client_id=a%00b']) {
      const page = await demo.ask(path)
      assert.match(page.text, developer)
      const [[, came] = [], [, expected] = []] = factsOf(page.text)
      assert.equal(came, path.replace('/authorize?', ''))
      assert.match(expected ?? '', /^parameters in the form application\/x-www-form-urlencoded/)
    }
    const form = await demo.ask('/authorize', { method: 'POST', body: '{}' })
    assert.match(form.text, developer)
  })

  test('the command that gets an access token works as pasted', async () => {
    const [, command = ''] = commandsOf(await askFor(demo, { client_id: undefined }))
    const inside = /^ADMIN_TOKEN=\$\((curl .*) \| sed /.exec(command)?.[1] ?? ''
    assert.deepEqual(shell.argumentsOf(inside), [
      '-sS',
      '-u',
      'latchkey-admin:latchkey-admin-secret',
      '-d',
      'grant_type=client_credentials',
      `${demo.issuer}/token`,
    ])
  })
})

describe('a request made of markup, scripts and shell', () => {
  const hostile = [
    '"><script>alert(1)</script>',
    '</code></pre><img src=x onerror=alert(1)>',
    "https://a.example/'$(touch\x24{IFS}broken)'",
    'https://a.example/`touch broken`;"\ntouch broken\n',
    'https://a.example/\u202efdp\u001b]0;x\u0007',
  ]

  for (const text of hostile) {
    test(`stays text: ${JSON.stringify(text)}`, async () => {
      for (const changes of [
        { client_id: text },
        { redirect_uri: text },
        { client_id: [text, 'b'] },
      ]) {
        const page = await askFor(demo, { state: text, ...changes })
        assert.equal(page.status, 400)
        assert.doesNotMatch(page.text, /<script|<img|href="(?!\/assets\/)|\p{Cf}/u)
        for (const command of commandsOf(page).slice(0, 1)) {
          assert.match(command, /^[\x20-\x7e]+$/)
          const { status } = await askAsCurl(shell.argumentsOf(command), adminToken, demo)
          assert.ok([200, 201, 302, 400].includes(status))
        }
        assert.deepEqual(shell.left(), [])
      }
    })
  }
})

describe('what is wrong with our own forms and links is for whoever has them before them', () => {
  test('not for the developer of an application', async () => {
    const browser = await enter(demo)
    const account = await browser.go('/account')
    const csrf = formsOf(account.text)[0]?.fields.csrf ?? []
    const rows: readonly (readonly [Answer, RegExp])[] = [
      [await browser.ask('/account/ledger'), /Check the address/],
      [await browser.ask('/account/ledger?authorization=x&before=x'), /Check the address/],
      [await browser.ask('/login?journey=%ff'), /Check the address/],
      [
        await browser.ask('/account/sessions', { csrf, action: 'nonsense' }),
        /Go back, reload the page/,
      ],
      [
        await browser.ask('/account/sessions', { filler: 'x'.repeat(70_000) }),
        /Go back, reload the page/,
      ],
    ]
    for (const [page, advice] of rows) {
      assert.match(page.text, advice)
      assert.doesNotMatch(page.text, developer)
      assert.doesNotMatch(page.text, /For the developer/)
    }
  })

  test('in the language of the page', async () => {
    const headers = { 'accept-language': 'zh' }
    for (const path of ['/account/confirm', '/login?journey=%ff', '/consent?journey=x']) {
      const { text } = await demo.ask(path, { headers })
      assert.doesNotMatch(text, /lang="en"/)
    }
  })
})

describe('outside the demo', () => {
  const service = startBefore(() => start({ demo: false }))
  before(async () => {
    const { store } = service.server()
    const client = (id: string, change: object) =>
      store.createClient(sampleClient({ id: id as ClientId, ...change }), trace())
    await client('photo-printer', { redirectUris: [callback, other] })
    await client('resting', { disabled: true })
  })

  test('strangers are told none of it', async () => {
    for (const changes of [
      { client_id: 'canary' },
      { client_id: 'resting' },
      { redirect_uri: 'https://canary.example/' },
      { redirect_uri: undefined },
      { client_id: undefined },
      { redirect_uri: ['canary', 'canary'] },
      { canary: '\0' },
    ]) {
      const page = await askFor(service, changes)
      assert.equal(page.status, 400)
      assert.doesNotMatch(
        page.text,
        /canary|callback|other\.example|For the developer|<pre|curl|<dl/,
      )
    }
  })

  test('a disabled client has the words of an unknown one', async () => {
    const said = async (client_id: string) =>
      /<h1>.*?<\/h1>\s*<p>.*?<\/p>/s.exec((await askFor(service, { client_id })).text)?.[0]
    assert.equal(await said('resting'), await said('nobody'))
    assert.ok(service.notices.some(({ reason }) => reason === 'disabled_client'))
  })
})
