/** Operations on whole accounts: profile, deletion, the time of a login, and an imported password. */
import assert from 'node:assert/strict'
import { pbkdf2Sync } from 'node:crypto'
import { getHashKind } from '../../src/crypto/phc.ts'
import type { OwnerId } from '../../src/model/ids.ts'
import type { Store } from '../../src/store/store.ts'
import { operatorOf } from '../flows/operator.ts'
import { Browser, type Page, type Reachable } from '../support/browser.ts'
import { isInside } from '../support/factors.ts'
import { eventsOf, newName, newVisitor, type Person, password } from '../support/people.ts'
import { makePng } from '../support/pictures.ts'
import { findUploadCsrf, makeUpload, sendUpload } from '../support/upload.ts'
import { formTo } from '../support/upstream.ts'
import {
  assertDone,
  isActive,
  type Operation,
  operation,
  passwordGrant,
  reading,
} from './operation.ts'

const hasEvent = async (person: Person, type: string): Promise<boolean> => {
  const events = (await eventsOf(person)).filter((event) => event.type === type)
  assert.ok(events.length <= 1, `${events.length} ${type}`)
  return events.length === 1
}

const stored = async ({ id, operator }: Person) => (await operator('GET', `owners/${id}`)).body

const logIn = async (service: Reachable, { username }: Person) => {
  const browser = new Browser(service)
  return { browser, page: await browser.logIn(await browser.go('/login'), username, password) }
}

const changeProfile = operation('change the profile', 'changeProfile', async (service) => {
  const visitor = await newVisitor(service, 'Ada')
  const { browser } = visitor
  const page = await browser.go('/account/profile')
  const form = formTo(page, '/account/profile')
  return {
    ask: () => browser.submitForm(page, form, { name: 'Ada Lovelace', nickname: 'Countess' }),
    settle: async (done) => {
      const { name, claims } = await stored(visitor)
      const isChanged = name === 'Ada Lovelace'
      assertDone(isChanged, done)
      assert.equal(claims.nickname, isChanged ? 'Countess' : undefined)
      assert.equal(await hasEvent(visitor, 'owner.profile_changed'), isChanged)
    },
  }
})

const setPicture = operation('set the picture', 'setOwnerPicture', async (service) => {
  const visitor = await newVisitor(service)
  const { browser } = visitor
  const csrf = await findUploadCsrf(browser)
  return {
    ask: () => sendUpload(service, browser, makeUpload({ csrf, action: 'set' }, makePng())),
    settle: async (done) => {
      const page = await browser.go('/account/profile')
      const [, url = ''] = /<img src="([^"]+)"/.exec(page.text) ?? []
      assertDone(url !== '', done)
      // A second try is a second picture, with an event of its own.
      const told = (await eventsOf(visitor)).some(({ type }) => type === 'owner.profile_changed')
      assert.equal(told, url !== '')
      if (url !== '') assert.equal((await browser.ask(url)).status, 200)
    },
  }
})

const seePicture = reading('see a picture', async (service) => {
  const { browser } = await newVisitor(service)
  const csrf = await findUploadCsrf(browser)
  await sendUpload(service, browser, makeUpload({ csrf, action: 'set' }, makePng()))
  const page = await browser.go('/account/profile')
  const [, url = ''] = /<img src="([^"]+)"/.exec(page.text) ?? []
  return () => service.ask(url)
})

const askForDeletion = async ({ browser, username }: Person & { readonly browser: Browser }) => {
  const page = await browser.go('/account/delete')
  const form = formTo(page, '/account/delete')
  return (): Promise<Page> => browser.submitForm(page, form, { username })
}

const requestDeletion = operation('delete the account', 'requestDeletion', async (service) => {
  const visitor = await newVisitor(service)
  const { access_token: token } = (await passwordGrant(service, visitor.username)).body
  return {
    ask: await askForDeletion(visitor),
    settle: async (done) => {
      const isRequested = (await stored(visitor)).deletion_at !== null
      assertDone(isRequested, done)
      assert.equal(await isInside(visitor.browser), !isRequested)
      assert.equal(await isActive(service, token), !isRequested)
      assert.equal(await hasEvent(visitor, 'owner.deletion_requested'), isRequested)
    },
  }
})

const undoDeletion = operation('keep the account', 'undoDeletion', async (service) => {
  const visitor = await newVisitor(service)
  await (await askForDeletion(visitor))()
  const { browser, page } = await logIn(service, visitor)
  return {
    ask: () => browser.submit(page, { action: 'keep' }),
    settle: async (done) => {
      const isKept = (await stored(visitor)).deletion_at === null
      assertDone(isKept, done)
      assert.equal(await isInside(browser), isKept)
      assert.equal(await hasEvent(visitor, 'owner.deletion_undone'), isKept)
    },
  }
})

/**
 * A page does without the note of its time. The next page makes up for it.
 *
 * @param pass lets so many seconds pass: the time is written once an hour
 */
const noteSession = (pass: (seconds: number) => void): Operation => ({
  ...operation('note when a login was last seen', null, async (service) => {
    const visitor = await newVisitor(service)
    pass(2 * 3600)
    return {
      ask: () => visitor.browser.ask('/account'),
      settle: async () => {
        assert.equal(await isInside(visitor.browser), true)
        const { browser } = await logIn(service, visitor)
        const { status, text } = await browser.go('/account/sessions')
        assert.equal(status, 200, text)
        assert.doesNotMatch(text, /hours ago/)
      },
    }
  }),
  doesWithout: 'noteSession',
})

/** As another server writes it, in few rounds. */
const importedHash = (): string => {
  const [salt, rounds] = [Buffer.from('salt of another'), 1000]
  const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
  const hash = pbkdf2Sync(password, salt, rounds, 32, 'sha256')
  return `$pbkdf2-sha256$i=${rounds},l=32$${unpadded(salt)}$${unpadded(hash)}`
}

/** @param store shows whose hash it is: no answer does */
const rehashPassword = (store: Store): Operation =>
  operation('log in with an imported password', 'rehashPassword', async (service) => {
    const username = newName()
    const owner = { username, password_hash: importedHash() }
    const { status, body, text } = await (await operatorOf(service))('POST', 'owners', owner)
    assert.equal(status, 201, text)
    const isOurs = async (): Promise<boolean> => {
      const found = await store.findOwner(body.id as OwnerId)
      return getHashKind(found?.passwordHash ?? '') === ''
    }
    return {
      ask: () => passwordGrant(service, username),
      settle: async (done) => {
        assertDone(await isOurs(), done)
        assert.equal((await passwordGrant(service, username, 'wrong')).status, 400)
        assert.equal((await passwordGrant(service, username)).status, 200)
        assert.equal(await isOurs(), true)
      },
    }
  })

export const profileOperations = (
  store: Store,
  pass: (seconds: number) => void,
): readonly Operation[] => [
  changeProfile,
  setPicture,
  seePicture,
  requestDeletion,
  undoDeletion,
  noteSession(pass),
  rehashPassword(store),
]
