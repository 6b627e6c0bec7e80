/** A service that has lived a little, so that every table of its store holds something. */

import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type ClientId, createId, type EventId, type GroupId } from '../../src/model/ids.ts'
import { localTables, tables } from '../../src/store/sql/records.ts'
import { bearer, operatorOf } from '../flows/operator.ts'
import { Authenticator, answerAsked, askedOn } from '../support/authenticator.ts'
import { enter } from '../support/authorization.ts'
import { askBackchannel } from '../support/backchannel.ts'
import { Browser } from '../support/browser.ts'
import { nightlyReport } from '../support/demo-clients.ts'
import { askForDevice } from '../support/devices.ts'
import { makeRecoveryCodes, setUpCodes } from '../support/factors.ts'
import { openCompany } from '../support/issuers.ts'
import { logInAt, registerClient } from '../support/logout.ts'
import { obtainTokens, walk } from '../support/printing.ts'
import { addGroup, addUser, openDirectory } from '../support/scim.ts'
import { openStream } from '../support/signals.ts'
import type { Started } from '../support/start.ts'
import { refresh, use } from '../support/tokens.ts'
import { trace } from './moments.ts'
import { sampleOwner } from './sample.ts'

/** What clients and a browser hold. */
export interface Held {
  readonly accessToken: string
  readonly refreshToken: string
  /** A token of a client itself. */
  readonly ownToken: string
  readonly browser: Browser
}

const ownToken = async (service: Started): Promise<string> =>
  (await service.post('/token', { grant_type: 'client_credentials' }, nightlyReport)).body
    .access_token

/** Somebody with every kind of factor; a passkey belongs to the name of this machine, not to its address. */
const setUpFactors = async (service: Started): Promise<void> => {
  const browser = await enter(service, 'bob', 'builder')
  const origin = service.issuer.replace('127.0.0.1', 'localhost')
  const asked = askedOn(await browser.ask(`${origin}/account/security/passkeys`))
  await answerAsked(browser, asked, new Authenticator(origin).create(asked))
  await setUpCodes(browser, service.now())
  await makeRecoveryCodes(browser)
}

const keepLogo = async (service: Started): Promise<void> => {
  const logo = {
    clientId: 'photo-printer' as ClientId,
    uri: 'https://printer.example/logo.png',
    type: 'image/png',
    version: 'one',
    content: 'iVBORw0KGgo=',
    fetchedAt: service.now(),
  } as const
  assert.equal(await service.server().store.keepClientLogo(logo), true)
}

const keepGroups = async (service: Started): Promise<void> => {
  const { store } = service.server()
  const owner = await store.findOwnerByName('bob')
  assert.ok(owner)
  const asked = { upstream: 'company', names: ['Engineering'], ids: ['g1' as GroupId] }
  assert.equal((await store.setOwnerGroups(owner.id, asked, trace(service.now()))).outcome, 'set')
  const at = service.now()
  const account = { upstream: 'company', issuer: 'https://company.example', subject: '1' }
  const link = { ...account, ownerId: owner.id, label: 'bob', createdAt: at, lastUsedAt: null }
  const eventId = createId(at * 1000, new Uint8Array(10).fill(2)) as EventId
  const made = { ...trace(at), eventId }
  assert.equal(await store.linkByOperator(link, owner.roles, made), 'linked')
  assert.ok(await store.setUpstreamRoles(owner.id, 'company', ['clerk'], null, trace(at)))
}

const keepPicture = async (service: Started): Promise<void> => {
  const { store } = service.server()
  const owner = await store.findOwnerByName('bob')
  assert.ok(owner)
  const [session] = (await store.listSessions(owner.id, null, 1, service.now())).rows
  assert.ok(session)
  const picture = { name: 'bob-in-yellow', type: 'image/png', content: 'iVBORw0KGgo=' } as const
  const eventId = createId(service.now() * 1000, new Uint8Array(10).fill(1)) as EventId
  const by = { ownerId: owner.id, session: session.id }
  const told = { ...trace(service.now()), eventId }
  assert.equal(await store.setOwnerPicture(by, picture, told), true)
}

/** A client with a URL as its id, and an item of its own. */
const addUrlClient = async (service: Started): Promise<void> => {
  const operator = await operatorOf(service)
  const metadata = {
    client_id: 'https://app.example/~me/a:b?x=%7E',
    grant_types: ['client_credentials'],
    scope: 'photos',
  }
  const { body: client } = await operator('POST', 'clients', metadata)
  const form = { grant_type: 'client_credentials' }
  const { body } = await service.post('/token', form, [client.client_id, client.client_secret])
  const put = { ...bearer(body.access_token), method: 'PUT', json: { title: 'mine' } }
  assert.equal((await service.ask('/api/photos/mine', put)).status, 201)
}

/** An API that takes JWTs: from then on revocations are noted for its feed. */
const addResource = async (service: Started): Promise<void> => {
  const operator = await operatorOf(service)
  const json = { name: 'orders', title: 'Orders', read: 'Read', write: 'Write' }
  const { status, text } = await operator('POST', 'resources', {
    ...json,
    uri: 'https://orders.example',
    access_token_format: 'jwt',
  })
  assert.equal(status, 201, text)
  await operator('PATCH', 'resources/orders', { introspection_clients: [nightlyReport[0]] })
  await openStream(service)
  const directory = await openDirectory(service)
  await addGroup(directory, 'Directory', [(await addUser(directory)).id])
}

/** Two logins at a client that cannot be reached: one has ended, so its notice waits. */
const logInAtClient = async (service: Started): Promise<void> => {
  const client = await registerClient(service, { backchannel_logout_uri: 'http://127.0.0.1:1/' })
  const { browser } = await logInAt(service, client)
  await browser.submit(await browser.go('/logout'))
  await logInAt(service, client)
}

/** An owner whom an upstream logged in, and has disabled. */
const addLinkedOwner = async (service: Started): Promise<void> => {
  const at = service.now()
  const owner = sampleOwner({ passwordHash: '' })
  const account = { upstream: 'other', issuer: 'https://other.example', subject: '1' }
  const link = { ...account, ownerId: owner.id, label: 'Ally', createdAt: at, lastUsedAt: null }
  const ceremony = { id: 'a-trip-to-the-other', expiresAt: at + 600 }
  const eventId = createId(at * 1000, new Uint8Array(10)) as EventId
  const { store } = service.server()
  const outcome = await store.createLinkedOwner(owner, link, ceremony, { ...trace(at), eventId })
  assert.equal(outcome, 'created')
  assert.ok(await store.claimDirectoryCheck('other', 1, at))
  const person = { ...account, ownerId: owner.id, disabledAt: null }
  const disabledId = createId(at * 1000, new Uint8Array(10).fill(3)) as EventId
  const told = { ...trace(at), eventId: disabledId }
  assert.equal(await store.disableLeaver(person, { most: 1, since: 0 }, told), 'disabled')
}

/** A company opens access for bob. */
const openAccess = async (service: Started): Promise<void> => {
  const company = await openCompany(service, await operatorOf(service))
  const { status, text } = await company.ask(await company.jag('bob'))
  assert.equal(status, 200, text)
}

/** Events wait for a webhook that nobody has set up. */
const queueEvents = (service: Started): Promise<number> =>
  service.server().store.queueWebhookEvents('audit', null, service.now())

export const live = async (service: Started): Promise<Held> => {
  await queueEvents(service)
  const browser = new Browser(service)
  await walk(service, undefined, { duration: 'session' }, browser)
  await addResource(service)
  const { access_token, refresh_token } = await obtainTokens(service)
  const other = await obtainTokens(service)
  await revoke(service, other.access_token)
  await service.post('/revoke', { token: await ownToken(service) }, nightlyReport)
  assert.equal(await use(service, access_token), 200)
  await service.server().tick()
  await askForDevice(service)
  await askBackchannel(service)
  await setUpFactors(service)
  await keepLogo(service)
  await keepPicture(service)
  await keepGroups(service)
  const sealed = { number: 1, until: '0', late: 0, statement: '', entries: '[]', position: '' }
  await service.server().store.addSeal(sealed)
  await addLinkedOwner(service)
  await service.server().store.placeRevocations('lived', 10)
  // Nobody has read the feed since this one.
  await service.post('/revoke', { token: await ownToken(service) }, nightlyReport)
  await addUrlClient(service)
  await openAccess(service)
  await logInAtClient(service)
  const json = { redirect_uris: ['https://newcomer.example/back'] }
  assert.equal((await service.ask('/register', { json })).status, 201)
  const stranger = new Browser(service)
  await stranger.logIn(await stranger.go('/login'), 'bob', 'a wrong password')
  // It waits until the next turn of the sender.
  await stranger.submit(await stranger.go('/forgot'), { username: 'bob' })
  await queueEvents(service)
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    ownToken: await ownToken(service),
    browser,
  }
}

export const revoke = async (service: Started, token: string): Promise<void> => {
  const { status } = await service.post('/revoke', { token }, [
    'photo-printer',
    'photo-printer-secret',
  ])
  assert.equal(status, 200)
}

/** What a service answers to all of it: whether each is honoured. */
export const honoured = async (service: Started, held: Held) => {
  const browser = new Browser(service)
  for (const [name, value] of held.browser.cookies) browser.cookies.set(name, value)
  return {
    accessToken: (await use(service, held.accessToken)) === 200,
    ownToken: (await use(service, held.ownToken)) === 200,
    login: (await browser.ask('/account')).status === 200,
    refreshToken: (await refresh(service, held.refreshToken)).status === 200,
  }
}

export const all = { accessToken: true, ownToken: true, login: true, refreshToken: true }
export const none = { accessToken: false, ownToken: false, login: false, refreshToken: false }

type Contents = Readonly<Record<string, readonly unknown[]>>

const withDatabase = <Result>(path: string, read: (database: DatabaseSync) => Result): Result => {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return read(database)
  } finally {
    database.close()
  }
}

/** Every row of a database file, whatever the program knows of its tables. */
export const contentsOf = (path: string): Contents =>
  withDatabase(path, (database) =>
    Object.fromEntries(
      database
        .prepare("select name from sqlite_schema where type = 'table'")
        .all()
        .filter(({ name }) => !localTables.some((local) => local.name === name))
        .map(({ name }) => [
          String(name),
          database
            .prepare(`select * from "${name}"`)
            .all()
            .map((row) => ({ ...row }))
            .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
        ]),
    ),
  )

/** The same rows after a copy: how far events were read does not count in another database. */
export const asElsewhere = (contents: Contents): Contents => {
  const reset = (table: string, values: object) =>
    (contents[table] ?? []).map((row) => ({ ...(row as object), ...values }))
  return {
    ...contents,
    events: reset('events', { place: 0 }),
    webhook_cursors: reset('webhook_cursors', { position: '' }),
  }
}

/** The tables of a database file, with their key and columns, as `tables` should have them. */
export const schemaOf = (path: string): readonly unknown[] =>
  withDatabase(path, (database) =>
    database
      .prepare("select name from sqlite_schema where type = 'table'")
      .all()
      .map(({ name }) => {
        const columns = database.prepare(`pragma table_info("${name}")`).all()
        const key = columns
          .filter(({ pk }) => Number(pk) > 0)
          .sort((a, b) => Number(a.pk) - Number(b.pk))
        return {
          name,
          key: key.map((column) => column.name),
          columns: columns.map((column) => column.name),
        }
      }),
  )

export const assertEveryTableHasRows = (contents: Contents): void => {
  assert.deepEqual(
    tables.filter(({ name }) => (contents[name] ?? []).length === 0).map(({ name }) => name),
    [],
  )
}
