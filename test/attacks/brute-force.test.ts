/**
 * Guessing passwords and tokens (RFC 6749 section 10.10, RFC 6819 section 5.1.4.2.3). Strangers
 * have five free wrong tries per owner and fifty per address. Each further one sets a wait, and all
 * doors count together.
 */

import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test'
import type { Page } from '../support/browser.ts'
import { checked, hashing } from '../support/hashes.ts'
import type { Answer, Started } from '../support/start.ts'

// After the hashes are counted: a module keeps what it found when it was loaded.
const { defaultLimits } = await import('../../src/config/settable-limits.ts')
const { ownerLimits } = await import('../../src/owners/limits.ts')
const { passwordLimits } = await import('../../src/crypto/password.ts')
const { createPasswords } = await import('../../src/crypto/password.ts')
const { Refusal } = await import('../../src/protocol/refusal.ts')
const { Browser, formsOf } = await import('../support/browser.ts')
const { basic, start } = await import('../support/start.ts')
const { houseApp } = await import('../support/demo-clients.ts')

let started: Started

before(async () => {
  // Tests choose the address that they come from, by the header of a proxy on this machine.
  started = await start({ trustedProxies: ['127.0.0.1'] })
})
after(() => started.close())
beforeEach(async () => {
  await started.advance(
    ownerLimits.attempts.forgetSeconds + ownerLimits.attempts.longestWaitSeconds,
  )
  checked.length = 0
})

let hosts = 0
const newAddress = (): string => `198.51.${++hosts >> 8}.${hosts & 255}`

const from = (address: string) => ({ 'x-forwarded-for': address })

const grant = (username: string, password: string, address = newAddress()): Promise<Answer> =>
  started.ask('/token', {
    form: { grant_type: 'password', username, password },
    headers: { authorization: basic(houseApp), ...from(address) },
  })

const logIn = async (
  username: string,
  password: string,
  address = newAddress(),
  browser = new Browser(started),
): Promise<Page> => {
  const page = await browser.ask('/login', undefined, from(address))
  const [form] = formsOf(page.text)
  return browser.ask('/login', { ...form?.fields, username, password }, from(address))
}

/** The free tries, and the first one with a wait of one second after it. */
const beforeWait = ownerLimits.attempts.freeTries + 1

/** The same for an address. */
const beforeAddressWait = defaultLimits.networkFreeTries + 1

/** Right is one password only, and is found so at once: what is counted here is not the hashing. */
const hashQuickly = (t: TestContext, right = 'builder'): void => {
  t.mock.method(hashing, 'verify', async (_stored: string, password: string) => password === right)
}

/** Wrong tries from one address at ever new names. */
const tire = async (address: string, times: number, prefix: string): Promise<void> => {
  for (let i = 0; i < times; i++) {
    assert.equal((await logIn(`${prefix}${i}`, 'wrong', address)).status, 403)
  }
}

const throttled = {
  error: 'too_many_requests',
  error_description: 'too many wrong tries: wait a little',
}

const assertThrottled = (answer: Answer, seconds: number): void => {
  assert.equal(answer.status, 429)
  assert.equal(answer.headers.get('retry-after'), String(seconds))
}

describe('LG-06: tries at one owner, from ever new addresses', () => {
  test('five are free, then each wrong one doubles the wait', async () => {
    for (let i = 0; i < beforeWait; i++) {
      assert.equal((await grant('alice', 'wrong')).status, 400)
    }
    for (const seconds of [1, 2, 4, 8]) {
      const answer = await grant('alice', 'wrong')
      assertThrottled(answer, seconds)
      assert.deepEqual(answer.body, throttled)
      await started.advance(seconds)
      assert.equal((await grant('alice', 'wrong')).body.error, 'invalid_grant')
    }
  })

  test('the right password straight after the fifth wrong one is let in', async () => {
    for (let i = 0; i < 5; i++) await grant('alice', 'wrong')
    assert.equal((await grant('alice', 'wonderland')).status, 200)
  })

  test('the right password is answered as a wrong one meanwhile, and clears the count after', async () => {
    for (let i = 0; i < beforeWait; i++) await grant('alice', 'wrong')
    assert.equal(checked.length, beforeWait)
    const right = await grant('alice', 'wonderland')
    const wrong = await grant('alice', 'wrong')
    assert.deepEqual([right.status, right.body], [wrong.status, wrong.body])
    assertThrottled(right, 1)
    assert.equal(checked.length, beforeWait)
    await started.advance(1)
    assert.equal((await grant('alice', 'wonderland')).status, 200)
    for (let i = 0; i < beforeWait; i++) {
      assert.equal((await grant('alice', 'wrong')).status, 400)
    }
    assertThrottled(await grant('alice', 'wrong'), 1)
  })

  test('one person has one counter, however the name is spelled', async () => {
    for (const name of ['alice', 'ALICE', 'Alice', 'ａｌｉｃｅ', 'aLiCe', 'ALice']) {
      assert.equal((await grant(name, 'wrong')).status, 400)
    }
    assertThrottled(await grant('alice', 'wonderland'), 1)
  })

  test('an account has as many free tries under all of its names, and nobody sees that they are one', async () => {
    const tryBoth = async (name: string): Promise<readonly unknown[]> => {
      const answers: Answer[] = []
      for (let i = 0; i < beforeWait; i++) answers.push(await grant(name, 'wrong'))
      const address = `${name}@example.com`
      for (let i = 0; i < beforeWait; i++) answers.push(await grant(address, 'wonderland'))
      answers.push(await grant(address, 'wonderland'))
      return answers.map(({ status, body, headers }) => [status, body, headers.get('retry-after')])
    }
    const known = await tryBoth('alice')
    assert.deepEqual(
      known.map((answer) => (answer as readonly unknown[])[0]),
      [...Array(2 * beforeWait).fill(400), 429],
    )
    const hashes = checked.splice(0)
    assert.deepEqual(await tryBoth('nobody'), known)
    assert.deepEqual(checked, hashes)
  })

  test('after the wait the right password is let in under each name, and clears both counts', async () => {
    for (let i = 0; i < beforeWait; i++) await grant('alice', 'wrong')
    assert.equal((await grant('alice@example.com', 'wonderland')).status, 400)
    await started.advance(1)
    assert.equal((await grant('alice@example.com', 'wonderland')).status, 200)
    for (let i = 0; i < beforeWait; i++) await grant('alice@example.com', 'wrong')
    await started.advance(1)
    assert.equal((await grant('alice', 'wonderland')).status, 200)
    assert.equal((await grant('alice@example.com', 'wonderland')).status, 200)
  })

  test('right ones of one account are all let in, also at once under two names', async () => {
    const names = Array.from({ length: 20 }, (_, i) =>
      i % 2 === 0 ? 'alice' : 'alice@example.com',
    )
    const answers = await Promise.all(names.map((name) => grant(name, 'wonderland')))
    assert.deepEqual(
      answers.map(({ status }) => status),
      names.map(() => 200),
    )
  })

  test('another owner does not wait', async () => {
    for (let i = 0; i < beforeWait; i++) await grant('alice', 'wrong')
    assertThrottled(await grant('alice', 'wonderland'), 1)
    assert.equal((await grant('bob', 'builder')).status, 200)
  })

  test('the longest wait is a quarter of an hour, and an hour without tries ends it all', async () => {
    const waits: number[] = []
    for (let i = 0; i < 32; i++) {
      const answer = await grant('alice', 'wrong')
      waits.push(Number(answer.headers.get('retry-after') ?? 0))
      await started.advance(waits.at(-1) ?? 0)
    }
    const doubling = Array.from({ length: 10 }, (_, i) => 2 ** i)
    assert.deepEqual(
      waits.filter((seconds) => seconds > 0),
      [...doubling, 900, 900, 900],
    )
    await started.advance(3600)
    for (let i = 0; i < beforeWait; i++) {
      assert.equal((await grant('alice', 'wrong')).status, 400)
    }
    assertThrottled(await grant('alice', 'wrong'), 1)
  })

  test('a count survives a restart (ST-08)', async () => {
    for (let i = 0; i < beforeWait; i++) await grant('alice', 'wrong')
    await started.restart()
    assertThrottled(await grant('alice', 'wonderland'), 1)
  })
})

describe('LG-06: tries from one address, at ever new owners', () => {
  test('fifty are free, then that address waits, and no other', async (t) => {
    hashQuickly(t)
    const address = newAddress()
    await tire(address, beforeAddressWait, 'a')
    assertThrottled(await logIn('bob', 'builder', address), 1)
    assert.equal((await logIn('bob', 'builder')).status, 303)
    await started.advance(1)
    assert.equal((await logIn('bob', 'builder', address)).status, 303)
  })

  test('an office whose people mistype all day waits no longer than the hour', async (t) => {
    hashQuickly(t)
    const address = newAddress()
    await tire(address, 40, 'g')
    await started.advance(ownerLimits.attempts.forgetSeconds - 60)
    await tire(address, beforeAddressWait - 40, 'h')
    assertThrottled(await logIn('bob', 'builder', address), 1)
    await started.advance(60)
    await tire(address, 40, 'i')
    assert.equal((await logIn('bob', 'builder', address)).status, 303)
  })

  test('by the password grant it is the address of an application: none of its users waits', async (t) => {
    hashQuickly(t)
    const address = newAddress()
    for (let i = 0; i < beforeAddressWait; i++) {
      assert.equal((await grant(`f${i}`, 'wrong', address)).status, 400)
    }
    assert.equal((await grant('bob', 'builder', address)).status, 200)
    assert.equal((await logIn('bob', 'wrong', address)).status, 403)
  })

  test('a right login of one’s own does not buy further guesses', async (t) => {
    hashQuickly(t)
    const address = newAddress()
    await tire(address, beforeAddressWait - 1, 'b')
    assert.equal((await logIn('bob', 'builder', address)).status, 303)
    assert.equal((await logIn('b-last', 'wrong', address)).status, 403)
    assertThrottled(await logIn('b-more', 'wrong', address), 1)
  })

  const wholeOf = { 64: '2001:db8:7:9', 56: '2001:db8:7', 48: '2001:db8:8' } as const
  for (const [bits, inside] of [
    [64, (i: number) => `${wholeOf[64]}::${i.toString(16)}`],
    [56, (i: number) => `${wholeOf[56]}:${(0x4200 + (i % 256)).toString(16)}:${i}::1`],
    [48, (i: number) => `${wholeOf[48]}:${((i * 257) % 65536).toString(16)}:${i}::1`],
  ] as const) {
    test(`the many addresses of one IPv6 /${bits} are one`, async (t) => {
      hashQuickly(t)
      const free = defaultLimits.networkFreeTries * ownerLimits.networkFactor[bits]
      for (let i = 0; i <= free; i++) {
        assert.equal((await logIn(`c${bits}-${i}`, 'wrong', inside(i))).status, 403, String(i))
      }
      assertThrottled(await logIn('bob', 'builder', inside(free + 1)), 1)
      assert.equal((await logIn('bob', 'builder', '2001:db8:ffff::6')).status, 303)
    })
  }
})

test('LG-07: of fifty at once, the five free ones are checked and one more', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => grant('alice', i === 49 ? 'wonderland' : 'wrong')),
  )
  assert.equal(checked.length, beforeWait)
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [...Array(6).fill(400), ...Array(44).fill(429)])
})

describe('right logins at once', () => {
  test('are all let in, by the password grant and by the login page of one address', async () => {
    const granted = await Promise.all(
      Array.from({ length: 20 }, () => grant('alice', 'wonderland')),
    )
    assert.deepEqual(new Set(granted.map(({ status }) => status)), new Set([200]))
    const address = newAddress()
    const loggedIn = await Promise.all(
      Array.from({ length: 20 }, () => logIn('bob', 'builder', address)),
    )
    assert.deepEqual(new Set(loggedIn.map(({ status }) => status)), new Set([303]))
  })

  test('also after wrong ones, but not before those have waited', async () => {
    for (let i = 0; i < beforeWait; i++) await grant('alice', 'wrong')
    const many = () => Promise.all(Array.from({ length: 20 }, () => grant('alice', 'wonderland')))
    const early = await many()
    assert.deepEqual(new Set(early.map(({ status }) => status)), new Set([429]))
    assert.equal(checked.length, beforeWait)
    await started.advance(1)
    const late = await many()
    assert.deepEqual(new Set(late.map(({ status }) => status)), new Set([200]))
  })
})

describe('LG-08: all doors count together', () => {
  test('wrong tries at the login page make the password grant wait', async () => {
    for (let i = 0; i < beforeWait; i++) {
      assert.equal((await logIn('alice', 'wrong')).status, 403)
    }
    assertThrottled(await grant('alice', 'wonderland'), 1)
  })

  test('and those at the password grant the login page, which says how long', async () => {
    for (let i = 0; i < beforeWait; i++) await grant('alice', 'wrong')
    const browser = new Browser(started)
    const page = await logIn('alice', 'wonderland', newAddress(), browser)
    assertThrottled(page, 1)
    assert.match(page.text, /wrong, or there were too many tries\..* Try again in 1 second\./)
    assert.equal(browser.cookies.has('latchkey_session'), false)
    const [form] = formsOf(page.text)
    assert.deepEqual(form?.fields.username, ['alice'])
    assert.equal(page.text.includes('wonderland'), false)
    await started.advance(1)
    const right = await browser.ask('/login', { ...form?.fields, password: 'wonderland' })
    assert.deepEqual([right.status, right.headers.get('location')], [303, '/account'])
  })

  test('a wrong client secret is refused before any password is tried, and counts for nobody', async () => {
    const address = newAddress()
    for (let i = 0; i < 10; i++) {
      const answer = await started.ask('/token', {
        form: { grant_type: 'password', username: 'alice', password: 'wonderland' },
        headers: { authorization: basic(['house-app', 'wrong']), ...from(address) },
      })
      assert.equal(answer.status, 401)
    }
    assert.equal(checked.length, 0)
    assert.equal((await grant('alice', 'wonderland', address)).status, 200)
  })
})

describe('LG-10: whoever asks cannot choose what is counted', () => {
  const spoofed = ['a', '127.0.0.1', '203.0.113.9', '::1', '198.51.100.7, 203.0.113.9', '']
  const headersOf = (value: string, i: number) => [
    { 'x-forwarded-for': value },
    { forwarded: `for=${value}` },
    { 'x-real-ip': value, 'x-forwarded-for': `${i}.${i}.${i}.${i}` },
  ]

  test('without a trusted proxy the headers say nothing', async (t) => {
    hashQuickly(t)
    const plain = await start()
    try {
      const browser = new Browser(plain)
      const [form] = formsOf((await browser.go('/login')).text)
      const headers = [...spoofed, ...spoofed, ...spoofed].flatMap(headersOf)
      const tries = headers.map((one, i) => {
        const guess = { ...form?.fields, username: `d${i}`, password: 'wrong' }
        return browser.ask('/login', guess, one)
      })
      const statuses = (await Promise.all(tries)).map(({ status }) => status)
      assert.equal(statuses.filter((status) => status === 403).length, beforeAddressWait)
      assert.equal(
        statuses.filter((status) => status === 429).length,
        tries.length - beforeAddressWait,
      )
    } finally {
      await plain.close()
    }
  })

  test('with one, only what it wrote itself, which stands last', async (t) => {
    hashQuickly(t)
    const address = newAddress()
    for (let i = 0; i < beforeAddressWait; i++) {
      const answer = await logIn(`e${i}`, 'wrong', `203.0.113.${i}, ${address}`)
      assert.equal(answer.status, 403)
    }
    assertThrottled(await logIn('bob', 'builder', address), 1)
  })
})

describe('LG-15: hashing cannot be used to starve the rest', () => {
  test('one a core and two at most run at once, two hundred wait, further ones are refused at once', async (t) => {
    let running = 0
    let most = 0
    t.mock.method(hashing, 'verify', async () => {
      most = Math.max(most, ++running)
      await Promise.resolve()
      running--
      return false
    })
    const passwords = createPasswords()
    const hashesAtOnce = Math.min(2, availableParallelism())
    const mayRun = hashesAtOnce + passwordLimits.waiting
    const ends = await Promise.allSettled(
      Array.from({ length: mayRun + 3 }, () => passwords.verify(null, 'wrong')),
    )
    assert.deepEqual([most, checked.length], [hashesAtOnce, mayRun])
    assert.equal(passwordLimits.waiting, 200)
    const refused = ends.filter((end) => end.status === 'rejected')
    assert.equal(refused.length, 3)
    for (const { reason } of refused) {
      assert.ok(reason instanceof Refusal)
      assert.deepEqual(
        [reason.status, reason.reason, reason.headers],
        [503, 'passwords_busy', { 'Retry-After': '2' }],
      )
    }
    assert.equal(await passwords.verify(null, 'wrong'), false)
  })
})

describe('guessing tokens and secrets', () => {
  beforeEach(() => started.advance(60 - (started.now() % 60)))

  const guess = (headers: Readonly<Record<string, string>> = {}) =>
    started.ask('/api/photos', { headers: { authorization: 'Bearer lk_at_guess', ...headers } })
  const often = (ask: () => Promise<Answer>) =>
    Promise.all(Array.from({ length: defaultLimits.refusalsPerMinute }, ask))

  const refusalsOf = async (reason: string): Promise<number> => {
    const { text } = await started.ask('/metrics')
    const sample = new RegExp(`^latchkey_refusals_total\\{reason="${reason}"\\} (\\d+)$`, 'm')
    return Number(sample.exec(text)?.[1] ?? 0)
  }

  test('a page that refuses is counted and named as any other refusal', async () => {
    const address = newAddress()
    const browser = new Browser(started)
    const [form] = formsOf((await browser.go('/login')).text)
    const junk = { ...form?.fields, credential: 'junk', ceremony: 'junk' }
    const ask = () => browser.ask('/login/passkey', junk, from(address))
    const before = await refusalsOf('wrong_passkey')
    const pages = await often(ask)
    assert.deepEqual(new Set(pages.map(({ status }) => status)), new Set([403]))
    assertThrottled(await ask(), 60)
    assert.equal((await refusalsOf('wrong_passkey')) - before, defaultLimits.refusalsPerMinute)
    assert.equal((await browser.ask('/login', undefined, from(newAddress()))).status, 200)
  })

  test('each page says why, to the log alone', async () => {
    const reasonOf = async (page: Promise<Page>) => {
      const { status } = await page
      return [status, started.notices.findLast(({ message }) => message === 'request')?.reason]
    }
    const alice = new Browser(started)
    await alice.logIn(await alice.go('/login'), 'alice', 'wonderland')
    const confirm = await alice.go('/account/confirm')
    const choose = await alice.go('/account/password')
    const setup = await alice.go('/account/security/codes')
    const recovery = { ceremony: 'junk' }
    const csrf = formsOf(setup.text)[0]?.fields.csrf ?? []
    const fields = { csrf, password: 'wrong', new_password: 'staple the other', code: '1' }
    const send = (path: string, form: Readonly<Record<string, string>>) =>
      reasonOf(alice.ask(path, { ...fields, ...form }))
    const again = { new_password_again: 'staple the other' }
    const ceremony = formsOf(setup.text)[0]?.fields.ceremony?.[0] ?? ''
    assert.deepEqual([confirm.status, choose.status], [200, 200])
    assert.deepEqual(await reasonOf(logIn('nobody', 'wrong')), [403, 'wrong_password'])
    assert.deepEqual(await reasonOf(alice.ask('/login/second')), [403, 'login_not_begun'])
    assert.deepEqual(await send('/account/confirm', {}), [403, 'wrong_confirmation'])
    assert.deepEqual(await send('/account/password', again), [403, 'wrong_password'])
    assert.deepEqual(await send('/account/password', {}), [400, 'new_passwords_differ'])
    assert.deepEqual(await send('/account/security', { action: 'add_passkey' }), [
      400,
      'wrong_passkey',
    ])
    assert.deepEqual(await send('/account/security/codes', { ceremony }), [400, 'wrong_code'])
    assert.deepEqual(await send('/account/security/codes', recovery), [400, 'setup_too_late'])
    assert.deepEqual(await reasonOf(alice.ask('/account')), [200, null])
  })

  test('health and metrics are answered to whoever is over the limit, and count for nobody', async () => {
    await often(() => guess())
    assertThrottled(await guess(), 60)
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      assert.equal((await started.ask(path)).status, 200, path)
      assert.equal((await started.ask(path, { method: 'POST' })).status, 405, path)
    }
    const proxied = from(newAddress())
    const elsewhere = await often(() => started.ask('/metrics', { headers: proxied }))
    assert.ok(elsewhere.every(({ status }) => status === 404))
    assert.equal((await guess(proxied)).status, 401)
  })

  test('what an honest client may meet often is not counted', async () => {
    const address = from(newAddress())
    const { body } = await grant('bob', 'builder')
    const bearer = { authorization: `Bearer ${body.access_token}`, ...address }
    const stale = { ...bearer, 'if-match': '"stale"' }
    const json = { title: 'mine' }
    const honest = [
      ...(await often(() =>
        started.ask('/api/photos/one', { method: 'PUT', json, headers: stale }),
      )),
      await started.ask('/token', { method: 'DELETE', headers: address }),
    ]
    assert.deepEqual(new Set(honest.map(({ status }) => status)), new Set([412, 405]))
    assert.equal((await started.ask('/api/photos', { headers: bearer })).status, 200)
  })

  test('whoever is over the limit is told when the minute ends', async () => {
    const address = from(newAddress())
    await started.advance(45)
    await often(() => guess(address))
    assertThrottled(await guess(address), 15)
    await started.advance(15)
    assert.equal((await guess(address)).status, 401)
  })

  test('a thousand refusals a minute are enough for one address; others are served', async () => {
    const address = newAddress()
    const first = await often(() => guess(from(address)))
    assert.ok(first.every(({ status }) => status === 401))
    const over = await guess(from(address))
    assertThrottled(over, 60)
    assert.deepEqual(over.body, {
      error: 'too_many_requests',
      error_description: 'too many refused requests: slow down',
    })
    await started.advance(60)
    assert.equal((await guess(from(address))).status, 401)
  })

  test('a token that has ended shuts out nobody else at its address', async () => {
    const address = newAddress()
    const ended = (await grant('alice', 'wonderland', address)).body.access_token
    const right = (await grant('bob', 'builder', address)).body.access_token
    const read = (token: string) =>
      started.ask('/api/photos', {
        headers: { authorization: `Bearer ${token}`, ...from(address) },
      })
    const form = { token: ended }
    await started.ask('/revoke', { form, headers: { authorization: basic(houseApp) } })
    const refused = await often(() => read(ended))
    assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([401]))
    assertThrottled(await read(ended), 60)
    assert.equal((await read(right)).status, 200)
    assert.equal((await grant('bob', 'builder', address)).status, 200)
  })

  test('a right request is answered, whatever was guessed at its address', async () => {
    const address = newAddress()
    const headers = { ...from(address), authorization: basic(['house-app', 'wrong']) }
    const guessSecret = () => started.ask('/token', { form: { grant_type: 'password' }, headers })
    await often(guessSecret)
    assertThrottled(await guessSecret(), 60)
    assert.equal((await grant('bob', 'builder', address)).status, 200)
  })
})
