/** A directory that is down, slow, somebody else, or answers garbage: nobody is let in, and nothing breaks. */
import assert from 'node:assert/strict'
import { createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { TLSSocket } from 'node:tls'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { findMissingPeople } from '../../src/features/leavers/missing.ts'
import { makeServiceTrace } from '../../src/store/trace.ts'
import { sampleOwner } from '../store/sample.ts'
import { Browser, type Page } from '../support/browser.ts'
import { selfSigned } from '../support/certificate.ts'
import { openSlapd, type Slapd, skipDirectory } from '../support/slapd.ts'
import { type Started, start } from '../support/start.ts'
import { formTo, upstreamsOf } from '../support/upstream.ts'

/** BER (X.690): a tag, the length, the content. */
const ber = (tag: number, ...content: readonly (Uint8Array | string)[]): Buffer => {
  const inside = Buffer.concat(content.map((one) => Buffer.from(one)))
  return Buffer.concat([Buffer.from([tag, 0x82, inside.length >> 8, inside.length & 255]), inside])
}

const message = (id: number, ...operation: readonly Uint8Array[]): Buffer =>
  ber(0x30, Buffer.from([2, 1, id]), ...operation)

/** A result: bind 0x61, end of a search 0x65. */
const result = (id: number, operation: number): Buffer =>
  message(id, ber(operation, Buffer.from([0x0a, 1, 0]), ber(4), ber(4)))

/** The end of a search with a code of RFC 4511 appendix A. */
const endWith = (id: number, code: number): Buffer =>
  message(id, ber(0x65, Buffer.from([0x0a, 1, code]), ber(4), ber(4)))

const attribute = (name: string, ...values: readonly (string | Uint8Array)[]): Buffer =>
  ber(0x30, ber(4, name), ber(0x31, ...values.map((value) => ber(4, value))))

const entryOf = (id: number, dn: string, ...attributes: readonly Uint8Array[]): Buffer =>
  message(id, ber(0x64, ber(4, dn), ber(0x30, ...attributes)))

const entry = (id: number, dn: string): Buffer =>
  entryOf(id, dn, attribute('entryUUID', '1'), attribute('uid', 'eve'))

/** The id and the operation of a request. Requests here are short. */
const asked = (data: Buffer): { readonly id: number; readonly operation: number } => {
  const at = (data[1] ?? 0) > 0x80 ? 2 + ((data[1] ?? 0) & 15) : 2
  return { id: data[at + 2] ?? 0, operation: data[at + 3] ?? 0 }
}
const [bind, search] = [0x60, 0x63]

let answer: (socket: Socket, data: Buffer) => void = () => {}
let connections = 0
let fake: Server
let port = 0
let service: Started
/** Ends of times that run: called instead of waiting. */
let ends: (() => void)[] = []

const ldap = (url: string, more: Readonly<Record<string, unknown>> = {}) => ({
  title: 'The company',
  type: 'ldap',
  url,
  base_dn: 'dc=example,dc=net',
  ...more,
})

before(async () => {
  fake = createServer((socket) => {
    connections++
    socket.on('error', () => {})
    socket.on('data', (data) => answer(socket, Buffer.from(data)))
  })
  await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve))
  const address = fake.address()
  port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const account = { bind_dn: 'cn=us,dc=example,dc=net', bind_password: 'secret' }
  service = await start({
    upstreams: upstreamsOf([{ id: 'fake', ...ldap(`ldap://127.0.0.1:${port}`, account) }]),
    deadline: (_, end) => {
      ends.push(end)
      return () => {}
    },
  })
})
after(async () => {
  await service.close()
  fake.close()
})

const tryWith = async (
  password: string,
  browser = new Browser(service),
  id = 'fake',
  username = 'eve',
): Promise<Page> => {
  const page = await browser.go(`/login/with/${id}`)
  return browser.submitForm(page, formTo(page, `/login/with/${id}`), { username, password })
}

const isInside = ({ cookies }: Browser): boolean => cookies.has('latchkey_session')

/** Logs the service account in, and then answers the search. */
const answerSearch =
  (then: (socket: Socket, id: number) => void) =>
  (socket: Socket, data: Buffer): void => {
    const { id, operation } = asked(data)
    if (operation === bind) socket.write(result(id, 0x61))
    else if (operation === search) then(socket, id)
  }

describe('a directory in a bad state', () => {
  const garbage: Readonly<Record<string, (socket: Socket, data: Buffer) => void>> = {
    'hangs up': (socket) => socket.destroy(),
    'answers in HTTP': (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    'answers with bytes of no form': (socket) => socket.end(Buffer.alloc(3000, 0xff)),
    'promises two gigabytes': (socket) =>
      socket.end(Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff, 2])),
    'sends without end': (socket) => socket.write(Buffer.alloc(200_000, 0x30)),
    'sends a flood of small messages': (socket, data) =>
      socket.write(Buffer.alloc(140_000, Buffer.from([0x30, 5, 2, 1, asked(data).id, 0x73, 0]))),
    'sends a flood after the bind': (socket, data) =>
      answerSearch((one, id) => one.write(Buffer.alloc(140_000, entry(id, 'cn=eve'))))(
        socket,
        data,
      ),
    'tells an entry without an id': (socket, data) =>
      answerSearch((one, id) =>
        one.write(
          Buffer.concat([message(id, ber(0x64, ber(4, 'cn=eve'), ber(0x30))), result(id, 0x65)]),
        ),
      )(socket, data),
    'tells an entry of no name': (socket, data) =>
      answerSearch((one, id) => one.write(Buffer.concat([entry(id, ''), result(id, 0x65)])))(
        socket,
        data,
      ),
    'tells an entry with the name of a mechanism': (socket, data) =>
      answerSearch((one, id) => one.write(Buffer.concat([entry(id, 'PLAIN'), result(id, 0x65)])))(
        socket,
        data,
      ),
  }
  for (const [name, how] of Object.entries(garbage)) {
    test(`lets nobody in that ${name}`, async () => {
      answer = how
      const browser = new Browser(service)
      const { status, text } = await tryWith('a-password', browser)
      assert.ok([403, 502, 503].includes(status), `${status} ${text}`)
      assert.equal(isInside(browser), false)
      assert.equal((await service.ask('/login')).status, 200)
    })
  }

  test('is not waited for beyond the limit, counts no try, and other ways still work', async () => {
    const browser = new Browser(service)
    answer = () => {
      for (const end of ends) end()
      ends = []
    }
    for (let n = 0; n < 8; n++) {
      const page = await tryWith('a-password', browser)
      assert.equal(page.status, 503)
      assert.match(page.text, /does not answer just now/)
    }
    await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
    assert.ok(isInside(browser))
  })

  test('that hangs up after the search gets no password over a second connection', async () => {
    const before = connections
    answer = answerSearch((socket, id) => {
      socket.end(Buffer.concat([entry(id, 'cn=eve,dc=example,dc=net'), result(id, 0x65)]))
    })
    const browser = new Browser(service)
    assert.equal((await tryWith('a-password', browser)).status, 503)
    assert.equal(connections, before + 1)
    assert.equal(isInside(browser), false)
  })

  test('is not asked without end by a browser in which somebody has logged in', async () => {
    answer = answerSearch((socket, id) => socket.write(result(id, 0x65)))
    const browser = new Browser(service)
    await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
    browser.cookies.delete('latchkey_session')
    const before = connections
    for (let n = 0; n < 20; n++) await tryWith('a-password', browser, 'fake', `name-${n}`)
    // One for each try, and few to find out whose name it is.
    assert.ok(connections - before < 30, `${connections - before} connections`)
  })

  test('is believed where it speaks LDAP', async () => {
    const said: string[] = []
    answer = (socket, data) => {
      const { id, operation } = asked(data)
      said.push(data.toString('latin1'))
      if (operation === bind) socket.write(result(id, 0x61))
      else socket.write(Buffer.concat([entry(id, 'cn=eve,dc=example,dc=net'), result(id, 0x65)]))
    }
    const page = await tryWith('a-password')
    assert.match(page.text, /You are new here/)
    assert.match(said.join('\n'), /cn=eve,dc=example,dc=net[\s\S]*a-password/)
  })
})

describe('a check of who is still in a directory', () => {
  test('changes nothing without a whole answer, and nothing where everybody is gone', async (t) => {
    const settings = ldap(`ldap://127.0.0.1:${port}`, { disable_owners: true })
    const checked = await start({ upstreams: upstreamsOf([{ id: 'checked', ...settings }]) })
    t.after(() => checked.close())
    const { store } = checked.server()
    for (const username of ['alice', 'bob']) {
      const owner = await store.findOwnerByName(username)
      assert.ok(owner)
      const account = { upstream: 'checked', issuer: 'dc=example,dc=net', subject: username }
      const link = { ...account, ownerId: owner.id, label: '', createdAt: 1, lastUsedAt: null }
      const trace = makeServiceTrace(checked.now(), { clock: Date.now, random })
      assert.equal(await store.linkByOperator(link, owner.roles, trace), 'linked')
    }
    const listDisabled = async () =>
      (await store.listOwnersBy({ state: 'disabled' }, null, 9)).rows.map((one) => one.username)
    const bob = (id: number) => entryOf(id, 'uid=bob', attribute('entryUUID', 'BOB'))
    const referral = (id: number) => message(id, ber(0x73, ber(4, 'ldap://elsewhere.example/')))
    const bad: Readonly<Record<string, (socket: Socket, id: number) => void>> = {
      'hangs up': (socket) => socket.destroy(),
      'hangs up within the answer': (socket, id) => socket.end(bob(id)),
      'has nobody': (socket, id) => socket.write(result(id, 0x65)),
      'refers to another directory': (socket, id) =>
        socket.write(Buffer.concat([bob(id), referral(id), result(id, 0x65)])),
      'is another directory': (socket, id) => socket.write(endWith(id, 10)),
      'is busy': (socket, id) => socket.write(Buffer.concat([bob(id), endWith(id, 51)])),
      'gives a part': (socket, id) => socket.write(Buffer.concat([bob(id), endWith(id, 4)])),
      'refuses the rest': (socket, id) => socket.write(Buffer.concat([bob(id), endWith(id, 11)])),
      'ends too late': (socket, id) => socket.write(Buffer.concat([bob(id), endWith(id, 3)])),
      'hides an id': (socket, id) =>
        socket.write(Buffer.concat([bob(id), entryOf(id, 'uid=x'), result(id, 0x65)])),
      'sends too much': (socket, id) =>
        socket.write(Buffer.concat([bob(id), Buffer.alloc(40_000, bob(id)), result(id, 0x65)])),
    }
    for (const [name, how] of Object.entries(bad)) {
      answer = answerSearch(how)
      const before = connections
      await checked.advance(900)
      // A question without an answer is asked once more.
      const isAnswer = ['has nobody', 'hides an id'].includes(name)
      assert.equal(connections, before + (isAnswer ? 1 : 2), name)
      assert.deepEqual(await listDisabled(), [], name)
    }
    const told = await findMissingPeople(store, checked.now())
    assert.deepEqual(told, [{ upstream: 'checked', count: 0, hours: 2 }])
    const locked = (id: number) =>
      entryOf(id, 'uid=alice', attribute('entryUUID', 'alice'), attribute('nsaccountlock', 'true'))
    // An entry with several ids protects the people of these ids alone.
    const several = (id: number) => entryOf(id, 'uid=x', attribute('entryUUID', 'bob', 'x'))
    let questions = 0
    answer = answerSearch((socket, id) => {
      if (++questions === 1) socket.destroy()
      else socket.write(Buffer.concat([several(id), locked(id), result(id, 0x65)]))
    })
    await checked.advance(900)
    assert.deepEqual(await listDisabled(), ['alice'])
    assert.equal((await findMissingPeople(store, checked.now()))[0]?.hours, 2)
    const notice = checked.notices.at(-1)
    assert.equal(notice?.message, 'a directory did not say who is still there')
    assert.equal(notice?.undecided, 1)
    answer = answerSearch((socket, id) => socket.write(Buffer.concat([bob(id), result(id, 0x65)])))
    await checked.advance(900)
    assert.equal((await findMissingPeople(store, checked.now()))[0]?.hours, 0)
    // Alone, nobody is left to tell a mistake by.
    answer = answerSearch((socket, id) => socket.write(result(id, 0x65)))
    await checked.advance(100_000)
    assert.deepEqual(await listDisabled(), ['alice'])
  })

  test('that shows nobody any more, or no locks, disables and enables nobody', async (t) => {
    const settings = ldap(`ldap://127.0.0.1:${port}`, { disable_owners: true })
    const checked = await start({ upstreams: upstreamsOf([{ id: 'checked', ...settings }]) })
    t.after(() => checked.close())
    const { store } = checked.server()
    const makeTrace = () => makeServiceTrace(checked.now(), { clock: Date.now, random })
    const names = Array.from({ length: 8 }, (_, i) => `person-${i}`)
    for (const subject of names) {
      const owner = sampleOwner({ username: subject, roles: [] })
      assert.equal(await store.createOwner(owner, makeTrace()), 'created')
      const account = { upstream: 'checked', issuer: 'dc=example,dc=net', subject }
      const link = { ...account, ownerId: owner.id, label: '', createdAt: 1, lastUsedAt: null }
      assert.equal(await store.linkByOperator(link, owner.roles, makeTrace()), 'linked')
    }
    const listDisabled = async () =>
      (await store.listOwnersBy({ state: 'disabled' }, null, 9)).rows.map((one) => one.username)
    const entry = (id: number, name: string, ...more: readonly Buffer[]) =>
      entryOf(id, `uid=${name}`, attribute('entryUUID', name), ...more)
    const show = (people: readonly string[]) =>
      answerSearch((socket, id) =>
        socket.write(Buffer.concat([...people.map((one) => entry(id, one)), result(id, 0x65)])),
      )
    // One has left. Then the directory goes blind, and would confirm it.
    let questions = 0
    answer = answerSearch((socket, id) => {
      const there = questions++ === 0 ? names.slice(1).map((one) => entry(id, one)) : []
      socket.write(Buffer.concat([...there, result(id, 0x65)]))
    })
    await checked.advance(900)
    assert.deepEqual([questions, await listDisabled()], [2, []])
    const isTold = (text: string) => JSON.stringify(checked.notices).includes(text)
    assert.ok(isTold('a person of before is missing'))
    // Four leave on two days, and another day later they are back at once.
    for (const left of [2, 4]) {
      answer = show(names.slice(left))
      await checked.advance(90_000)
      assert.equal((await listDisabled()).length, left)
    }
    answer = show(names)
    await checked.advance(90_000)
    assert.equal((await listDisabled()).length, 4)
    assert.ok(isTold('too many people back at once'))
    answer = show(names.slice(1))
    await checked.advance(900)
    assert.deepEqual(await listDisabled(), ['person-0'])
  })
})

describe('somebody between here and a directory with StartTLS', () => {
  const certificate = selfSigned(['localhost'])
  let secured: Started
  before(async () => {
    const url = `ldap://localhost:${port}`
    const settings = ldap(url, { start_tls: true, ca: certificate.cert })
    secured = await start({ upstreams: upstreamsOf([{ id: 'starttls', ...settings }]) })
  })
  after(() => secured?.close())

  /** Answers in plain text, and from then on over TLS. */
  const upgrade = (inPlain: (id: number) => Uint8Array, said: number[]) => {
    answer = (socket, data) => {
      answer = () => {}
      socket.removeAllListeners('data')
      socket.write(inPlain(asked(data).id))
      const secure = new TLSSocket(socket, { isServer: true, ...certificate })
      secure.on('error', () => {})
      secure.on('data', (request) => {
        const { id, operation } = asked(Buffer.from(request))
        said.push(operation)
        if (operation === bind) secure.write(result(id, 0x61))
        if (operation !== search) return
        secure.write(Buffer.concat([entry(id, 'cn=eve,dc=example,dc=net'), result(id, 0x65)]))
      })
    }
  }

  test('passes the messages of both on', async () => {
    const said: number[] = []
    upgrade((id) => result(id, 0x78), said)
    const page = await tryWith('a-password', new Browser(secured), 'starttls')
    assert.match(page.text, /You are new here/)
    assert.deepEqual(said.slice(0, 2), [search, bind])
  })

  test('cannot put the beginning of an entry before the messages of the directory', async () => {
    const said: number[] = []
    upgrade((id) => {
      // The true entry, of the search with id 3, becomes the end of an attribute of this one.
      const hidden = entry(3, 'cn=eve,dc=example,dc=net')
      const of = attribute('entryUUID', 'the-id-of-somebody-else')
      const forged = entryOf(3, 'cn=eve,dc=example,dc=net', of, attribute('photo', hidden))
      return Buffer.concat([result(id, 0x78), forged.subarray(0, -hidden.length)])
    }, said)
    const browser = new Browser(secured)
    const page = await tryWith('a-password', browser, 'starttls')
    assert.equal(page.status, 502, page.text)
    assert.deepEqual(said, [])
    const told = secured.notices.findLast((notice) => 'fault' in notice)
    assert.equal(Object(told).detail, 'directory: more than the answer to StartTLS in plain text')
  })
})

describe('a directory over TLS', { skip: skipDirectory }, () => {
  let slapd: Slapd
  let secured: Started
  before(async () => {
    slapd = await openSlapd()
    await slapd.add('anna')
    const { plain, tls } = slapd.ports
    const { upstream, ca } = slapd
    const secure = [
      { id: 'ldaps', url: `ldaps://localhost:${tls}`, ca },
      { id: 'starttls', url: `ldap://localhost:${plain}`, start_tls: true, ca },
      // The certificate is for `localhost`.
      { id: 'ldaps-name', url: `ldaps://127.0.0.1:${tls}`, ca },
      { id: 'starttls-name', url: `ldap://127.0.0.1:${plain}`, start_tls: true, ca },
      { id: 'ldaps-ca', url: `ldaps://localhost:${tls}` },
      { id: 'starttls-ca', url: `ldap://localhost:${plain}`, start_tls: true },
    ]
    secured = await start({
      signUp: 'open',
      upstreams: upstreamsOf(secure.map((change) => ({ ...upstream, ...change }))),
    })
  })
  after(async () => {
    await secured?.close()
    await slapd?.close()
  })

  const tryBy = (id: string): Promise<Page> =>
    tryWith('anna-password', new Browser(secured), id, 'anna')

  test('logs people in by ldaps and by StartTLS', async () => {
    for (const id of ['ldaps', 'starttls'])
      assert.match((await tryBy(id)).text, /You are new here/, id)
  })

  test('gets no password if its certificate is of another name or authority', async () => {
    const codes = new Map<string, unknown>()
    for (const id of ['ldaps-name', 'starttls-name', 'ldaps-ca', 'starttls-ca']) {
      assert.equal((await tryBy(id)).status, 503, id)
      const told = secured.notices.findLast((notice) => 'fault' in notice)
      codes.set(id, Object(told).detail)
    }
    assert.deepEqual(Object.fromEntries(codes), {
      'ldaps-name': 'directory: ERR_TLS_CERT_ALTNAME_INVALID',
      'starttls-name': 'directory: ERR_TLS_CERT_ALTNAME_INVALID',
      'ldaps-ca': 'directory: DEPTH_ZERO_SELF_SIGNED_CERT',
      'starttls-ca': 'directory: DEPTH_ZERO_SELF_SIGNED_CERT',
    })
  })

  test('that is down leaves other ways', async () => {
    await slapd.stop()
    const browser = new Browser(secured)
    assert.equal((await tryWith('anna-password', browser, 'ldaps', 'anna')).status, 503)
    await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
    assert.ok(isInside(browser))
  })
})
