/** Token exchange (RFC 8693): a client acts for the owner of a token, by a token of its own that allows no more. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { accessFormsOn, accessPathsOn } from '../support/accesses.ts'
import { answerOf, Browser, type Page } from '../support/browser.ts'
import { newConsoleVisitor } from '../support/console.ts'
import { helper, photoPrinter } from '../support/demo-clients.ts'
import {
  accessTokenType,
  addHelpers,
  exchange,
  exchanged,
  exchangeGrant,
  letAct,
} from '../support/exchange.ts'
import { assertPlaced } from '../support/placed.ts'
import { authorizePath, codeRequest, obtainCode, obtainTokens } from '../support/printing.ts'
import { type Form, start, startBefore } from '../support/start.ts'
import {
  assertRefused,
  type Credentials,
  introspect,
  redeem,
  refresh,
  use,
} from '../support/tokens.ts'
import { bearer, type Operator, operatorOf } from './operator.ts'

let operator: Operator
let people = 0
const password = 'correct horse battery'
const service = startBefore(start, async () => {
  operator = await operatorOf(service)
  await letAct(operator, 'photo-printer', ['helper'])
})

const obtain = async (scope = 'photos contacts:read'): Promise<string> =>
  (await obtainTokens(service, { ...codeRequest, scope })).access_token

/** A token that an owner approved for the helper itself. */
const obtainOwn = async (): Promise<string> => {
  const there = 'http://127.0.0.1:6750/helper'
  const request = {
    response_type: 'code',
    client_id: 'helper',
    redirect_uri: there,
    scope: 'photos',
  }
  const code = await obtainCode(service, request)
  return (await redeem(service, code, helper, { redirect_uri: there })).body.access_token
}

const obtainOfClient = async (client = helper, scope = 'photos'): Promise<string> =>
  (await service.post('/token', { grant_type: 'client_credentials', scope }, client)).body
    .access_token

describe('what operators see', () => {
  test('a delegation is no user of its client', async () => {
    const { browser } = await newConsoleVisitor(service)
    await exchanged(service, await obtain())
    const { text } = await browser.go('/admin/clients/helper')
    assert.match(textOf(text), /Access granted ?0 users/)
  })

  test('a token below one that was revoked has ended, and is not forged', async () => {
    const subject = await obtain()
    const token = await exchanged(service, subject)
    const inspect = async () => (await operator('POST', 'tokens/inspect', { token })).body.refused
    assert.equal(await inspect(), null)
    await service.post('/revoke', { token: subject }, photoPrinter)
    assert.equal(await inspect(), 'ended')
  })
})

describe('an exchange', () => {
  test('the whole answer, and what introspection and APIs make of the token', async () => {
    const subject = await obtain()
    const answer = await exchange(service, subject)
    assert.equal(answer.status, 200, answer.text)
    const { access_token: token, ...rest } = answer.body
    assert.deepEqual(rest, {
      issued_token_type: accessTokenType,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'contacts:read photos:read photos:write',
    })
    assert.match(token, /^lk_at_/)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const before = await introspect(service, subject)
    const { jti, ...told } = await introspect(service, token, helper)
    assert.notEqual(jti, before.jti)
    const { jti: _, may_act: mayAct, ...toldBefore } = before
    assert.deepEqual(mayAct, { sub: 'helper', client_id: 'helper' })
    const act = { sub: 'helper', client_id: 'helper' }
    assert.deepEqual(told, { ...toldBefore, client_id: 'helper', act })
    assert.equal(await use(service, token), 200)
  })

  test('the client of the subject token is told nothing about the new one', async () => {
    const token = await exchanged(service, await obtain())
    assert.deepEqual(await introspect(service, token, photoPrinter), { active: false })
  })

  test('scope, resource and audience narrow it', async () => {
    const subject = await obtain()
    const photos = `${service.issuer}/api/photos`
    for (const [changes, scope, aud] of [
      [{ scope: 'photos:read' }, 'photos:read', [photos]],
      [{ resource: photos }, 'photos:read photos:write', [photos]],
      [{ audience: photos }, 'photos:read photos:write', [photos]],
      [
        { audience: [photos, `${service.issuer}/api/contacts`] },
        'contacts:read photos:read photos:write',
        [`${service.issuer}/api/contacts`, photos],
      ],
    ] as const) {
      const { status, body, text } = await exchange(service, subject, helper, changes)
      assert.equal(status, 200, text)
      assert.equal(body.scope, scope)
      assert.deepEqual((await introspect(service, body.access_token, helper)).aud, aud)
    }
  })

  test('its life ends with that of the subject token', async () => {
    const subject = await obtain()
    await service.advance(1000)
    const { body } = await exchange(service, subject)
    assert.equal(body.expires_in, 2600)
    await service.advance(2599)
    assert.equal(await use(service, body.access_token), 200)
    await service.advance(1)
    assert.equal(await use(service, body.access_token), 401)
  })

  test('its own token may be exchanged by every client with the grant', async () => {
    const { status, body, text } = await exchange(service, await obtainOwn(), helper, {
      scope: 'photos:read',
    })
    assert.equal(status, 200, text)
    assert.deepEqual((await introspect(service, body.access_token, helper)).act, {
      sub: 'helper',
      client_id: 'helper',
    })
  })

  test('an actor token says again who acts', async () => {
    const actor = { actor_token: await obtainOfClient(), actor_token_type: accessTokenType }
    const token = await exchanged(service, await obtain(), helper, actor)
    assert.deepEqual((await introspect(service, token, helper)).act, {
      sub: 'helper',
      client_id: 'helper',
    })
  })

  test('a chain names each actor, the latest first, and four at most', async () => {
    const others = await addHelpers(await operatorOf(service), 4)
    let token = await exchanged(service, await obtain())
    let act: object = { sub: 'helper', client_id: 'helper' }
    for (const client of others.slice(0, 3)) {
      token = await exchanged(service, token, client)
      act = { sub: client[0], client_id: client[0], act }
      assert.deepEqual((await introspect(service, token, client)).act, act)
      assert.equal(await use(service, token), 200)
    }
    const [, , , fifth] = others
    assert.ok(fifth)
    assertRefused(
      await exchange(service, token, fifth),
      'invalid_request',
      'the subject_token was exchanged 4 times already: no further client may act',
    )
  })

  test('userinfo tells the owner, within the words of the token', async () => {
    const subject = await obtain('openid profile photos')
    const token = await exchanged(service, subject)
    const [before, after] = await Promise.all(
      [subject, token].map((one) => service.ask('/userinfo', bearer(one))),
    )
    assert.deepEqual(after?.body, before?.body)
    const narrowed = await exchanged(service, subject, helper, { scope: 'photos' })
    assert.equal((await service.ask('/userinfo', bearer(narrowed))).status, 403)
  })

  test('neither an ID token nor a refresh token comes along', async () => {
    const scope = 'openid offline_access photos'
    const { body } = await exchange(service, await obtain(scope))
    assert.deepEqual(Object.keys(body).sort(), [
      'access_token',
      'expires_in',
      'issued_token_type',
      'scope',
      'token_type',
    ])
    assert.equal(body.scope, 'openid photos:read photos:write')
  })
})

/** Tokens of a new owner: the login, the subject token, and one of each of these clients in turn. */
const grow = async (clients: readonly Credentials[]) => {
  const username = `owner-${++people}`
  const asked = await operatorOf(service)
  const { body: owner } = await asked('POST', 'owners', { username, password })
  const browser = new Browser(service)
  const page = await browser.go(authorizePath({ ...codeRequest, scope: 'photos contacts:read' }))
  const consent = await browser.logIn(page, username, password)
  const { code = '' } = answerOf(await browser.submit(consent, { decision: 'allow' }))
  const first = (await redeem(service, code)).body
  const tokens: string[] = [first.access_token]
  for (const client of clients) {
    tokens.push(await exchanged(service, tokens.at(-1) ?? '', client))
  }
  service.pass(1)
  return { owner, browser, first, tokens }
}

/** The status of a token at an API, and whether it may write there. */
const reach = async (token: string): Promise<string> => {
  const [reads, writes] = await Promise.all([
    use(service, token),
    service.ask('/api/photos', { ...bearer(token), method: 'POST', json: { title: 'New' } }),
  ])
  return `${reads} ${writes.status}`
}

const reachOf = (tokens: readonly string[]): Promise<readonly string[]> =>
  Promise.all(tokens.map(reach))

const textOf = (text: string): string =>
  text
    .replace(/<style[\s\S]*?<\/style>/g, '')
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')

/** The page of a branch, by its words in the list. */
const openBranch = async (browser: Browser, branch: string) => {
  const list = await browser.go('/account')
  const links = [...list.text.matchAll(/<a href="(\/account\/access\/[^"]+)">(.*?)<\/a>/g)]
  const found = links.find(([, , words = '']) => textOf(words) === branch)
  assert.ok(found, `${branch} is not on the page: ${textOf(list.text)}`)
  return browser.go(found[1] ?? '')
}

const act = async (browser: Browser, branch: string, action: string, changes: Form = {}) => {
  const page = await openBranch(browser, branch)
  const [form] = accessFormsOn(page)
  assert.ok(form)
  return browser.submitForm(page, form, { ...changes, action })
}

const [both, gone, reads] = ['200 201', '401 401', '200 403']

describe('the tree on the account page', () => {
  let second: Credentials
  let secondName: string
  const branch = 'Helper for Photo Printer'

  before(async () => {
    const [added] = await addHelpers(await operatorOf(service), 1)
    assert.ok(added)
    second = added
    secondName = 'Helper 2 for Helper'
  })

  test('shows who acts for whom, below the application', async () => {
    const { browser } = await grow([helper, second])
    const { text } = await browser.go('/account')
    const [, tree = ''] = /(<ul class="branches">[\s\S]*?<\/ul>[\s\S]*?<\/ul>)/.exec(text) ?? []
    const words = textOf(tree).trim()
    // To exchange its token is a use of a branch.
    assert.equal(words, `H${branch} Used just now H${secondName} Never used`)
    assert.match(textOf(text), /1 application can use your account/)
    const page = await browser.go(accessPathsOn({ text })[0] ?? '')
    assert.match(textOf(page.text), /Who acts for Photo Printer .*Helper for Photo Printer/)
  })

  test('each branch names the application where the owner gives more', async () => {
    const { browser } = await grow([helper, second])
    for (const name of ['Photo Printer', branch, secondName]) {
      const { text } = await openBranch(browser, name)
      assert.match(textOf(text), /To give more, start from Photo Printer\./, name)
    }
  })

  test('a paused branch rests with everything below it, and nothing above', async () => {
    const { browser, tokens } = await grow([helper, second])
    await act(browser, branch, 'pause')
    assert.deepEqual(await reachOf(tokens), [both, gone, gone])
    const refused = await exchange(service, tokens[0] ?? '')
    assert.deepEqual([refused.status, refused.body.error], [503, 'temporarily_unavailable'])
    await act(browser, branch, 'resume')
    assert.deepEqual(await reachOf(tokens), [both, both, both])
    await act(browser, secondName, 'pause')
    assert.deepEqual(await reachOf(tokens), [both, both, gone])
  })

  test('a narrowed branch narrows everything below it', async () => {
    const { browser, tokens } = await grow([helper, second])
    await act(browser, branch, 'narrow', { permission: 'photos:read' })
    assert.deepEqual(await reachOf(tokens), [both, reads, reads])
    // The subject token still has it, and an exchange does not bring it back.
    const { body } = await exchange(service, tokens[0] ?? '')
    assert.equal(body.scope, 'photos:read')
    const lost = await exchange(service, tokens[0] ?? '', helper, { scope: 'photos:write' })
    assert.equal(lost.body.error, 'invalid_grant')
  })

  test('an ended branch ends everything below it, and stays ended until the owner logs in anew', async () => {
    const { browser, tokens, owner } = await grow([helper, second])
    await act(browser, branch, 'end')
    assert.deepEqual(await reachOf(tokens), [both, gone, gone])
    assert.equal((await browser.go('/account')).text.includes('class="branches"'), false)
    const ended = textOf((await browser.go('/account/ended')).text)
    assert.match(ended, /Helper for Photo Printer/)
    assertRefused(
      await exchange(service, tokens[0] ?? ''),
      'invalid_grant',
      'the access of this client was ended or narrowed: the user has to log in again at the application that the user approved',
    )
    // The clock of another node may be so far ahead.
    await service.advance(11)
    const redeemed = async (page: Page): Promise<string> =>
      (await redeem(service, answerOf(page).code ?? '')).body.access_token
    // A visit that the owner did not see lifts nothing.
    const silent = await redeemed(
      await browser.go(authorizePath({ ...codeRequest, scope: 'photos', prompt: 'none' })),
    )
    assert.equal((await exchange(service, silent)).body.error, 'invalid_grant')
    const page = await browser.go(
      authorizePath({ ...codeRequest, scope: 'photos', prompt: 'login' }),
    )
    const anew = await redeemed(await browser.logIn(page, owner.username, password))
    assert.equal(await use(service, await exchanged(service, anew)), 200)
    assert.equal((await exchange(service, tokens[0] ?? '')).body.error, 'invalid_grant')
  })

  test('with the application, each branch is paused, narrowed and ended', async () => {
    const { browser, tokens } = await grow([helper, second])
    await act(browser, 'Photo Printer', 'pause')
    assert.deepEqual(await reachOf(tokens), [gone, gone, gone])
    await act(browser, 'Photo Printer', 'resume')
    await act(browser, 'Photo Printer', 'narrow', { permission: 'photos:read' })
    assert.deepEqual(await reachOf(tokens), [reads, reads, reads])
    await act(browser, 'Photo Printer', 'end')
    assert.deepEqual(await reachOf(tokens), [gone, gone, gone])
    const { text } = await browser.go('/account')
    assert.equal(text.includes('Helper'), false)
  })

  test('an end date of a branch is its own, and only a login from after it begins anew', async () => {
    const long = { access_token_seconds: 3 * 24 * 3600 }
    await (await operatorOf(service))('PATCH', 'clients/photo-printer', long)
    const { browser, tokens } = await grow([helper])
    await act(browser, branch, 'until', { until: 'day' })
    const { body } = await exchange(service, tokens[0] ?? '')
    assert.equal(body.authorization_expires_in, 24 * 3600)
    await service.advance(24 * 3600)
    assert.deepEqual(await reachOf(tokens), [both, gone])
    for (let again = 0; again < 2; again++) {
      assert.equal((await exchange(service, tokens[0] ?? '')).body.error, 'invalid_grant')
      await service.advance(1)
    }
    const usual = { access_token_seconds: 3600 }
    await (await operatorOf(service))('PATCH', 'clients/photo-printer', usual)
  })

  test('an approval for the exchanger itself is another access', async () => {
    const { browser, tokens } = await grow([helper])
    const there = 'http://127.0.0.1:6750/helper'
    const request = { response_type: 'code', client_id: 'helper', redirect_uri: there }
    const page = await browser.go(authorizePath({ ...request, scope: 'photos:read' }))
    assert.match(page.url, /\/consent/)
    const { code = '' } = answerOf(await browser.submit(page, { decision: 'allow' }))
    const own = (await redeem(service, code, helper, { redirect_uri: there })).body.access_token
    await act(browser, branch, 'end')
    assert.deepEqual(await reachOf([...tokens, own]), [both, gone, reads])
  })
})

describe('what ends, pauses or narrows the subject token does so to the new one', () => {
  test('its revocation, which leaves later tokens of the family alone', async () => {
    const { first, tokens } = await grow([helper])
    const { body } = await refresh(service, first.refresh_token)
    const later = await exchanged(service, body.access_token)
    await service.post('/revoke', { token: first.access_token }, photoPrinter)
    assert.deepEqual(await reachOf([...tokens, later]), [gone, gone, both])
    await service.post('/revoke', { token: body.refresh_token }, photoPrinter)
    assert.equal(await reach(later), gone)
  })

  test('a new password, a disabled owner or client, ended tokens of either client', async () => {
    const asked = await operatorOf(service)
    const { owner, tokens } = await grow([helper])
    const patch = (path: string, disabled: boolean) => asked('PATCH', path, { disabled })
    for (const path of [`owners/${owner.id}`, 'clients/photo-printer', 'clients/helper']) {
      assert.equal(await reach(tokens[1] ?? ''), both)
      await patch(path, true)
      assert.equal(await reach(tokens[1] ?? ''), gone, path)
      await patch(path, false)
    }
    await asked('POST', `owners/${owner.id}/set-password`, { password: 'another long password' })
    assert.deepEqual(await reachOf(tokens), [gone, gone])
    for (const client of ['photo-printer', 'helper']) {
      const { tokens: others } = await grow([helper])
      await asked('POST', `clients/${client}/end-tokens`)
      assert.equal(await reach(others[1] ?? ''), gone, client)
    }
  })

  test('a shorter lifetime of its client', async () => {
    const asked = await operatorOf(service)
    const { tokens } = await grow([helper])
    await asked('PATCH', 'clients/photo-printer', { access_token_seconds: 60 })
    assert.equal((await introspect(service, tokens[1] ?? '', helper)).active, true)
    await service.advance(60)
    assert.deepEqual(await reachOf(tokens), [gone, gone])
    await asked('PATCH', 'clients/photo-printer', { access_token_seconds: 3600 })
  })

  test('a smaller scope of either client', async () => {
    const asked = await operatorOf(service)
    const { tokens } = await grow([helper])
    for (const client of ['photo-printer', 'helper']) {
      const scope = 'photos:read contacts calendar'
      await asked('PATCH', `clients/${client}`, { scope })
      assert.equal(await reach(tokens[1] ?? ''), reads, client)
      await asked('PATCH', `clients/${client}`, { scope: 'photos contacts calendar' })
      assert.equal(await reach(tokens[1] ?? ''), both, client)
    }
  })
})

describe('the metadata', () => {
  test('names the grant type', async () => {
    const { body } = await service.ask('/.well-known/oauth-authorization-server')
    assert.ok(body.grant_types_supported.includes(exchangeGrant))
  })
})

test('ids of all that began here name the shard key of their owner', () => assertPlaced(service))
