/**
 * LG-09 (RFC 6749 section 10.10): nobody learns whether a name is known. Time is not measured here.
 * Instead the answers are equal, and so is the work behind them.
 */

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, test } from 'node:test'
import { ownerLimits } from '../../src/owners/limits.ts'
import type { Page } from '../support/browser.ts'
import { checked } from '../support/hashes.ts'
import type { Answer } from '../support/start.ts'

// After the hashes are counted: a module keeps what it found when it was loaded.
const { operatorOf } = await import('../flows/operator.ts')
const { Browser } = await import('../support/browser.ts')
const { startBefore } = await import('../support/start.ts')
const { houseApp } = await import('../support/demo-clients.ts')

const started = startBefore()

beforeEach(() => {
  checked.length = 0
})

const once = ['argon2id v=19 m=19456,t=2,p=1']

/** An answer without its changing parts: ids, references, tokens, the typed name. */
const shapeOf = ({ status, headers, text, reference }: Answer, username = 'nobody') => ({
  status,
  headers: [...headers].filter(([name]) => name !== 'latchkey-reference'),
  text: text
    .replaceAll(username, '{username}')
    .replace(/name="csrf" value="[^"]*"/, '{csrf}')
    .replace(reference ?? '{reference}', '{reference}'),
})

const grant = (username: string, password: string): Promise<Answer> =>
  started.post('/token', { grant_type: 'password', username, password }, houseApp)

const page = async (username: string, password: string): Promise<Page> => {
  const browser = new Browser(started)
  return browser.logIn(await browser.go('/login'), username, password)
}

/** Between two rows the waits that wrong tries earn are over. */
const rest = (): Promise<void> => started.advance(3600)

const doors = { 'the login page': page, 'the password grant': grant } as const

for (const [door, tryOut] of Object.entries(doors)) {
  describe(`LG-09: ${door}`, () => {
    test('answers an unknown name as a wrong password, after as many hashes', async () => {
      await rest()
      const known = await tryOut('alice', 'wrong')
      assert.deepEqual(checked.splice(0), once)
      const unknown = await tryOut('nobody', 'wrong')
      assert.deepEqual(checked.splice(0), once)
      assert.deepEqual(shapeOf(unknown), shapeOf(known, 'alice'))
    })

    test('and an address alike, whether it is that of an account or of nobody', async () => {
      await rest()
      const known = await tryOut('alice@example.com', 'wrong')
      assert.deepEqual(checked.splice(0), once)
      const unknown = await tryOut('nobody@example.com', 'wrong')
      assert.deepEqual(checked.splice(0), once)
      assert.deepEqual(shapeOf(unknown, 'nobody@example.com'), shapeOf(known, 'alice@example.com'))
    })

    test('and a person who is disabled, right password or not', async () => {
      await rest()
      const disabled = await disabledOwner()
      checked.length = 0
      const unknown = await tryOut('nobody', 'wrong')
      assert.deepEqual(checked.splice(0), once)
      for (const password of ['wrong', 'correct horse battery']) {
        const answer = await tryOut(disabled, password)
        assert.deepEqual(checked.splice(0), once)
        assert.deepEqual(shapeOf(answer, disabled), shapeOf(unknown))
      }
    })

    test('answers names and passwords that nobody can have alike, too', async () => {
      await rest()
      for (const [username, password] of [
        ['x'.repeat(300), 'wrong'],
        ['alice', 'x'.repeat(300)],
        ['nobody', 'x'.repeat(300)],
      ] as const) {
        const answer = await tryOut(username, password)
        const unknown = await tryOut('nobody', 'wrong')
        assert.deepEqual(shapeOf(answer, username), shapeOf(unknown))
        await rest()
      }
    })

    test('lets an unknown name wait as a known one', async () => {
      const waits = []
      for (const username of ['alice', 'nobody']) {
        await rest()
        let answer = await tryOut(username, 'wrong')
        for (let i = 0; i < 6; i++) answer = await tryOut(username, 'wrong')
        waits.push(shapeOf(answer, username))
        assert.equal(answer.status, 429)
        assert.equal(answer.headers.get('retry-after'), '1')
      }
      assert.deepEqual(waits[1], waits[0])
    })
  })
}

/** Every counted try adds one to a row, and every event is a row. */
const writes = (): number => {
  const database = new DatabaseSync(join(started.folder, 'latchkey.db'), { readOnly: true })
  try {
    const sql = `select (select coalesce(sum(tries), 0) from attempts) +
      (select count(*) from events) as writes`
    return Number(database.prepare(sql).get()?.writes)
  } finally {
    database.close()
  }
}

test('LG-09: a wrong try writes as often for an unknown name, also once no more are events', async () => {
  await rest()
  const written = async (username: string): Promise<number> => {
    const before = writes()
    assert.equal((await grant(username, 'wrong')).status, 400)
    return writes() - before
  }
  // The counters of the name, of the account and of events, and the event.
  assert.deepEqual([await written('alice'), await written('unknown')], [4, 4])
  for (let i = 0; i < ownerLimits.attempts.freeTries; i++) await grant(`unknown-${i}`, 'wrong')
  for (let i = 0; i < 3; i++) {
    assert.deepEqual([await written('alice'), await written(`untold-${i}`)], [3, 3])
  }
})

/** A person whom the operator has disabled. */
const disabledOwner = async (): Promise<string> => {
  const operator = await operatorOf(started)
  const username = `gone-${started.notices.length}`
  const made = await operator('POST', 'owners', { username, password: 'correct horse battery' })
  await operator('PATCH', `owners/${made.body.id}`, { disabled: true })
  return username
}

test('LG-09: after an import, each wrong try takes one hash of each kind', async () => {
  const operator = await operatorOf(started)
  const hash = (iterations: number): string =>
    `$pbkdf2-sha256$i=${iterations},l=32$c2FsdA$${'A'.repeat(43)}`
  for (const iterations of [1000, 2000]) {
    const said = { username: `imported-${iterations}`, password_hash: hash(iterations) }
    assert.equal((await operator('POST', 'owners', said)).status, 201)
  }
  const ofEach = [...once, 'pbkdf2 sha256 1000', 'pbkdf2 sha256 2000'].sort()
  const names = ['nobody', 'alice', await disabledOwner(), 'imported-1000', 'imported-2000']
  for (const tryOut of Object.values(doors)) {
    for (const username of names) {
      await rest()
      checked.length = 0
      await tryOut(username, 'wrong')
      assert.deepEqual(checked.splice(0).sort(), ofEach, username)
    }
  }
})

describe('LG-09: client ids', () => {
  test('an unknown client and a wrong secret look alike at every door', async () => {
    for (const at of ['/token', '/revoke', '/introspect']) {
      const form = { grant_type: 'client_credentials', token: 'x' }
      const known = await started.post(at, form, ['nightly-report', 'wrong'])
      const unknown = await started.post(at, form, ['nobody', 'wrong'])
      assert.equal(known.status, 401)
      assert.deepEqual(shapeOf(unknown), shapeOf(known))
    }
  })

  test('an unknown registration and a wrong registration token look alike', async () => {
    const metadata = { client_name: 'Mine', redirect_uris: ['https://mine.example/back'] }
    const { body } = await started.ask('/register', { json: metadata })
    const headers = { authorization: 'Bearer lk_reg_wrong' }
    const known = await started.ask(`/register/${body.client_id}`, { headers })
    const unknown = await started.ask('/register/nobody', { headers })
    assert.equal(known.status, 401)
    assert.deepEqual(shapeOf(unknown), shapeOf(known))
  })
})

test('LG-09: the login page looks the same whoever was here before, but for the way', async () => {
  await rest()
  const fresh = shapeOf(await new Browser(started).go('/login'))
  const people = [
    ['alice', 'wonderland'],
    ['bob', 'builder'],
  ] as const
  for (const [username, password] of people) {
    const browser = new Browser(started)
    await browser.logIn(await browser.go('/login'), username, password)
    await browser.submit(await browser.go('/logout'))
    const { text } = shapeOf(await browser.go('/login'))
    assert.equal(text.replace(' <span class="tag good">last used</span>', ''), fresh.text)
  }
})
