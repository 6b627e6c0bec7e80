/** Owners with a password hash from elsewhere: they log in as before, and get our own. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { Browser } from '../support/browser.ts'
import { houseApp } from '../support/demo-clients.ts'
import { hashesFromElsewhere } from '../support/password-hashes.ts'
import { problem, startWithOperator } from './operator.ts'

const { service, operator } = startWithOperator()

let made = 0
const create = async (given: unknown): Promise<string> => {
  const username = `from-elsewhere-${++made}`
  const answer = await operator('POST', 'owners', { username, password_hash: given })
  assert.equal(answer.status, 201, answer.text)
  assert.equal(/hash/.test(answer.text), false)
  return username
}

const hashOf = (username: string): string => {
  const database = new DatabaseSync(join(service.folder, 'latchkey.db'), { readOnly: true })
  try {
    const sql = 'select password_hash from owners where username = ?'
    return String(database.prepare(sql).get(username)?.password_hash)
  } finally {
    database.close()
  }
}

const grant = (username: string, password: string) =>
  service.post('/token', { grant_type: 'password', username, password }, houseApp)

const logIn = async (username: string, password: string): Promise<string> => {
  const browser = new Browser(service)
  return (await browser.logIn(await browser.go('/login'), username, password)).url
}

const ours = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/

describe('an imported password', () => {
  for (const { from, password, given, stored } of hashesFromElsewhere) {
    it(`logs in, and is hashed anew once: ${from}`, async () => {
      const username = await create(given)
      assert.equal(hashOf(username), stored)
      assert.equal((await grant(username, `${password}!`)).status, 400)
      assert.equal(hashOf(username), stored)
      assert.equal((await grant(username, password)).status, 200)
      const hash = hashOf(username)
      assert.match(hash, ours)
      assert.equal((await grant(username, `${password}!`)).status, 400)
      assert.equal((await grant(username, password)).status, 200)
      assert.equal(hashOf(username), hash)
    })
  }

  const [, , bcrypt] = hashesFromElsewhere

  it('logs in on the page, in two browsers at once too', async () => {
    for (let round = 0; round < 5; round++) {
      const username = await create(bcrypt?.given)
      const urls = await Promise.all([logIn(username, 'U*U'), logIn(username, 'U*U')])
      for (const url of urls) assert.doesNotMatch(url, /login/)
      assert.match(hashOf(username), ours)
    }
  })

  it('is not brought back by a login that was under way while the owner got another one', async () => {
    const username = await create(bcrypt?.given)
    const { body } = await operator('GET', 'owners?limit=100')
    const { id } = body.items.find((owner: { username: string }) => owner.username === username)
    const [login] = await Promise.all([
      grant(username, 'U*U'),
      operator('POST', `owners/${id}/set-password`, { password: 'a wholly new one' }),
    ])
    assert.ok([200, 400].includes(login.status), login.text)
    assert.equal((await grant(username, 'U*U')).status, 400)
    assert.equal((await grant(username, 'a wholly new one')).status, 200)
  })
})

describe('POST /admin/api/owners with password_hash', () => {
  const refused: Readonly<Record<string, object>> = {
    'password_hash is a PHC string or bcrypt, but its cost is 20, and 14 is the most': {
      password_hash: `$2b$20$${'.'.repeat(53)}`,
    },
    'password_hash is a PHC string or bcrypt, but scrypt takes no ln=16 with r=1': {
      password_hash: `$scrypt$ln=16,r=1,p=1$c29tZXNhbHQ$${'A'.repeat(43)}`,
    },
    'password and password_hash exclude each other': {
      password: 'correct horse',
      password_hash: `$2b$10$${'.'.repeat(53)}`,
    },
  }
  for (const [detail, said] of Object.entries(refused)) {
    it(`is refused: ${detail}`, async () => {
      const { status, body } = await operator('POST', 'owners', { username: 'nobody', ...said })
      assert.equal(status, 400)
      assert.deepEqual(body, problem('invalid_request', 400, detail))
    })
  }

  it('is refused for a ninth kind of hash, since wrong tries pay for each', async () => {
    const hash = (rounds: number): string =>
      `$pbkdf2-sha256$i=${rounds},l=32$c2FsdA$${'A'.repeat(43)}`
    const outcomes = []
    for (let i = 1; i <= 9; i++) {
      const given = { username: `kind-${i}`, password_hash: hash(i) }
      outcomes.push((await operator('POST', 'owners', given)).status)
    }
    assert.ok(outcomes.includes(201))
    assert.equal(outcomes.at(-1), 400)
    const known = await operator('POST', 'owners', { username: 'kind', password_hash: hash(1) })
    assert.equal(known.status, 201)
  })
})
