/** Requests at the same moment: once stays once, and what was ended stays ended (rows RC). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startWithOperator } from '../flows/operator.ts'
import { answerOf, Browser, formsOf } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import {
  authorizePath,
  callback,
  codeRequest,
  obtainCode,
  obtainTokens,
  walk,
} from '../support/printing.ts'
import type { Answer } from '../support/start.ts'
import {
  assertRefused,
  type Credentials,
  introspect,
  redeem,
  refresh,
  use,
} from '../support/tokens.ts'
import { deadCode, deadRefreshToken } from '../support/told.ts'

const { service, operator } = startWithOperator()

const many = 20
const rounds = 5

/** Gives way so many times, so that two requests meet at another point in each round. */
const giveWay = async (times: number): Promise<void> => {
  for (let turn = 0; turn < times; turn++) await new Promise((resume) => setImmediate(resume))
}

const times = <Result>(ask: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: many }, ask))

const createWeb = async (): Promise<Credentials> => {
  const { body } = await operator('POST', 'clients', {
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  })
  return [body.client_id, body.client_secret]
}

/** An owner of one test's own, and the tokens and a further code that a client got of them. */
const createOwner = async (client: Credentials, username: string) => {
  const { body: owner } = await operator('POST', 'owners', { username, password: 'a long one' })
  const browser = new Browser(service)
  const obtain = async (): Promise<string> => {
    let page = await browser.go(authorizePath({ ...codeRequest, client_id: client[0] }))
    if (page.url.includes('/login')) page = await browser.logIn(page, username, 'a long one')
    if (page.url.includes('/consent')) page = await browser.submit(page, { decision: 'allow' })
    return answerOf(page).code ?? ''
  }
  const { body: tokens } = await redeem(service, await obtain(), client)
  return { path: `owners/${owner.id}`, tokens, code: await obtain() }
}

const authorizationOf = async (clientId: string): Promise<string> => {
  const { body } = await operator('GET', `authorizations?client=${clientId}`)
  return `authorizations/${body.items[0].id}`
}

describe('RC-01: one code, many redemptions', () => {
  test('one wins; the replay was seen, so what it earned is dead', async () => {
    for (let round = 0; round < rounds; round++) {
      const code = await obtainCode(service)
      const answers = await times(() => redeem(service, code))
      const [won, ...others] = answers.filter(({ status }) => status === 200)
      assert.equal(others.length, 0)
      const lost = answers.filter((answer) => answer !== won)
      assert.equal(lost.length, many - 1)
      for (const answer of lost) assertRefused(answer, 'invalid_grant', deadCode)
      assert.equal(await use(service, won?.body.access_token), 401)
      const renewed = await refresh(service, won?.body.refresh_token)
      assertRefused(renewed, 'invalid_grant', deadRefreshToken)
    }
  })

  test('a stranger among them neither wins nor ends anything', async () => {
    const rival = await createWeb()
    const code = await obtainCode(service)
    const [won, ...lost] = await Promise.all([
      redeem(service, code),
      ...Array.from({ length: many }, () => redeem(service, code, rival)),
    ])
    assert.equal(won?.status, 200)
    for (const answer of lost) assertRefused(answer, 'invalid_grant', deadCode)
    assert.equal(await use(service, won?.body.access_token), 200)
  })

  test('many codes at once: each is redeemed, once', async () => {
    const codes: string[] = []
    for (let made = 0; made < many; made++) codes.push(await obtainCode(service))
    const answers = await Promise.all(codes.map((code) => redeem(service, code)))
    assert.ok(answers.every(({ status }) => status === 200))
    assert.equal(new Set(answers.map(({ body }) => body.access_token)).size, many)
    for (const { body } of answers) assert.equal(await use(service, body.access_token), 200)
  })
})

describe('RC-02: one refresh token, many refreshes', () => {
  test('all get one and the same successor, and only that goes on', async () => {
    for (let round = 0; round < rounds; round++) {
      const first = await obtainTokens(service)
      const answers = await times(() => refresh(service, first.refresh_token))
      assert.ok(answers.every(({ status }) => status === 200))
      const bodies = new Set(answers.map(({ text }) => text))
      assert.equal(bodies.size, 1)
      const second = answers[0]?.body
      assert.notEqual(second.refresh_token, first.refresh_token)
      const third = await refresh(service, second.refresh_token)
      assert.equal(third.status, 200)
      assertRefused(await refresh(service, first.refresh_token), 'invalid_grant', deadRefreshToken)
      assert.equal(await use(service, third.body.access_token), 401)
    }
  })

  test('two generations at once: a repeat that comes first is forgiven, one that comes later ends all', async () => {
    for (let round = 0; round < rounds; round++) {
      const first = await obtainTokens(service)
      const { body: second } = await refresh(service, first.refresh_token)
      const [rotated, repeated] = await Promise.all([
        refresh(service, second.refresh_token),
        giveWay(round).then(() => refresh(service, first.refresh_token)),
      ])
      const answers = [rotated, repeated]
      assert.equal(rotated.status, 200)
      assert.ok([200, 400].includes(repeated.status))
      const live = await Promise.all(
        [first, second, ...answers.map(({ body }) => body)].map(async ({ refresh_token: token }) =>
          token === undefined ? [] : (await introspect(service, token)).active ? [token] : [],
        ),
      )
      assert.equal(new Set(live.flat()).size, repeated.status === 200 ? 1 : 0)
    }
  })
})

/** Nothing that came of these answers is alive. */
const assertNothingLives = async (
  answers: readonly Answer[],
  client: Credentials,
): Promise<void> => {
  for (const { status, body } of answers) {
    assert.ok([200, 400, 401].includes(status), String(status))
    if (status !== 200) continue
    assert.equal(await use(service, body.access_token), 401)
    if (body.refresh_token === undefined) continue
    const renewed = await refresh(service, body.refresh_token, client)
    assert.ok(renewed.status === 400 || renewed.status === 401)
  }
}

test('RC-07: revocation and refresh: what comes of the refresh is dead as well', async () => {
  for (let round = 0; round < 12; round++) {
    const first = await obtainTokens(service)
    const form = { token: first.refresh_token }
    const [revoked, ...answers] = await Promise.all([
      giveWay(round % 6).then(() => service.post('/revoke', form, photoPrinter)),
      refresh(service, first.refresh_token),
      giveWay(round % 4).then(() => refresh(service, first.refresh_token)),
    ])
    assert.deepEqual([revoked.status, revoked.body], [200, {}])
    await assertNothingLives(answers, photoPrinter)
    assert.equal(await use(service, first.access_token), 401)
  }
})

describe('RC-08: whoever ends something is right, whatever is under way', () => {
  type Prepared = Awaited<ReturnType<typeof createOwner>>
  const ends: Readonly<
    Record<string, (prepared: Prepared, client: Credentials) => Promise<Answer>>
  > = {
    'the approval is ended': async (_, client) =>
      operator('DELETE', await authorizationOf(client[0])),
    'the owner is disabled': ({ path }) => operator('PATCH', path, { disabled: true }),
    'the owner is deleted': ({ path }) => operator('DELETE', path),
    'the password is changed': ({ path }) =>
      operator('POST', `${path}/set-password`, { password: 'another one' }),
    'the client is deleted': (_, client) => operator('DELETE', `clients/${client[0]}`),
  }
  for (const [name, end] of Object.entries(ends)) {
    test(`${name}: a code and a refresh token in flight earn nothing that lives`, async () => {
      for (let round = 0; round < rounds; round++) {
        const client = await createWeb()
        const prepared = await createOwner(client, `${name} ${round}`)
        const { tokens, code } = prepared
        const [ended, ...answers] = await Promise.all([
          giveWay(round).then(() => end(prepared, client)),
          redeem(service, code, client),
          refresh(service, tokens.refresh_token, client),
          giveWay(2 * round).then(() => refresh(service, tokens.refresh_token, client)),
        ])
        assert.ok(ended.status === 200 || ended.status === 204, ended.text)
        await assertNothingLives(answers, client)
        assert.equal(await use(service, tokens.access_token), 401)
      }
    })
  }

  test('the client is deleted: tokens of its own in flight are dead', async () => {
    for (let round = 0; round < rounds; round++) {
      const client = await createWeb()
      const [ended, ...answers] = await Promise.all([
        giveWay(round).then(() => operator('DELETE', `clients/${client[0]}`)),
        ...Array.from({ length: 5 }, (_, i) =>
          giveWay(i).then(() =>
            service.post('/token', { grant_type: 'client_credentials' }, client),
          ),
        ),
      ])
      assert.equal(ended?.status, 204)
      await assertNothingLives(answers, client)
    }
  })

  test('the approval is narrowed: no token in flight allows more', async () => {
    for (let round = 0; round < rounds; round++) {
      const client = await createWeb()
      const { tokens, code } = await createOwner(client, `narrowed ${round}`)
      const path = await authorizationOf(client[0])
      const [narrowed, ...answers] = await Promise.all([
        giveWay(round).then(() => operator('PATCH', path, { permissions: ['contacts:read'] })),
        redeem(service, code, client),
        refresh(service, tokens.refresh_token, client),
      ])
      assert.equal(narrowed.status, 200)
      for (const { status, body } of answers) {
        assert.equal(status, 200)
        assert.equal(await use(service, body.access_token), 403)
        const seen = await introspect(service, body.access_token, client)
        assert.equal(seen.scope, 'contacts:read')
      }
    }
  })
})

describe('RC-09: consent in two tabs, or by a double click', () => {
  const consentPage = async (client: Credentials) => {
    const browser = new Browser(service)
    const login = await browser.go(authorizePath({ ...codeRequest, client_id: client[0] }))
    return { browser, page: await browser.logIn(login, 'alice', 'wonderland') }
  }

  const approvalsOf = async (client: Credentials): Promise<number> => {
    const { body } = await operator('GET', `authorizations?client=${client[0]}`)
    return body.items.length
  }

  test('the same page sent many times: one approval, and one redemption in all', async () => {
    const client = await createWeb()
    const { browser, page } = await consentPage(client)
    const [form] = formsOf(page.text)
    assert.ok(form)
    const pages = await times(() => browser.submitForm(page, form, { decision: 'allow' }))
    assert.equal(await approvalsOf(client), 1)
    const codes = new Set(pages.map((one) => answerOf(one).code ?? ''))
    const answers: Answer[] = []
    for (const code of codes) answers.push(await redeem(service, code, client))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    const again = await browser.submitForm(page, form, { decision: 'allow' })
    assert.equal(again.status, 400)
  })

  test('two tabs are two requests: one approval, a code for each', async () => {
    const client = await createWeb()
    const { browser, page } = await consentPage(client)
    const other = await browser.go(authorizePath({ ...codeRequest, client_id: client[0] }))
    const pages = await Promise.all(
      [page, other].map((tab) => browser.submit(tab, { decision: 'allow' })),
    )
    assert.equal(await approvalsOf(client), 1)
    for (const one of pages) {
      const { status, body } = await redeem(service, answerOf(one).code ?? '', client)
      assert.equal(status, 200)
      assert.equal(await use(service, body.access_token), 200)
    }
  })

  test('allow and deny at once: each is answered as it was decided', async () => {
    for (let round = 0; round < rounds; round++) {
      const client = await createWeb()
      const { browser, page } = await consentPage(client)
      const [allowed, denied] = await Promise.all([
        browser.submit(page, { decision: 'allow' }),
        giveWay(round).then(() => browser.submit(page, { decision: 'deny' })),
      ])
      assert.equal(answerOf(denied).error, 'access_denied')
      const answer = await redeem(service, answerOf(allowed).code ?? '', client)
      assert.equal(answer.status, 200)
      assert.equal(await approvalsOf(client), 1)
    }
  })

  test('unticked in one tab after the other was allowed: the later decision holds', async () => {
    const client = await createWeb()
    const { browser, page } = await consentPage(client)
    const other = await browser.go(authorizePath({ ...codeRequest, client_id: client[0] }))
    const first = await browser.submit(page, { decision: 'allow' })
    const changes = { decision: 'allow', permission: 'contacts:read' }
    const second = await browser.submit(other, changes)
    for (const one of [first, second]) {
      const { body } = await redeem(service, answerOf(one).code ?? '', client)
      assert.equal(body.scope, 'contacts:read')
    }
  })

  test('four browsers of one owner at once: one approval, four families', async () => {
    const client = await createWeb()
    const request = { ...codeRequest, client_id: client[0] }
    const pages = await Promise.all(Array.from({ length: 4 }, () => walk(service, request)))
    assert.equal(await approvalsOf(client), 1)
    const answers = await Promise.all(
      pages.map((page) => redeem(service, answerOf(page).code ?? '', client)),
    )
    for (const { status, body } of answers) {
      assert.equal(status, 200)
      assert.equal(await use(service, body.access_token), 200)
    }
  })
})
