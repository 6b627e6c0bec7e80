/** Changes to a grant: its owner decides about all of the page, and about nothing else. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { enter } from '../support/authorization.ts'
import { answerOf, type Browser, formsOf, type Page } from '../support/browser.ts'
import { books, rent, startWithDetails } from '../support/details.ts'
import { orders } from '../support/elsewhere.ts'
import { type Managing, registerManaging } from '../support/grants.ts'
import { authorizePath } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'
import { introspect, refresh, use } from '../support/tokens.ts'
import { operatorOf } from './operator.ts'

let client: Managing
const service = startBefore(startWithDetails, async () => {
  client = await registerManaging(service)
})

const create = { grant_management_action: 'create' }
const coal = { ...rent, to: 'Coal merchant' }
const gas = { ...rent, to: 'Gas works' }

const detailed = (...some: readonly object[]) => ({ authorization_details: JSON.stringify(some) })

const update = (grant_id: string, changes: Readonly<Record<string, string>> = {}) => ({
  grant_management_action: 'update',
  grant_id,
  ...changes,
})

/** The consent page of a request. */
const open = (browser: Browser, changes: Readonly<Record<string, string>>): Promise<Page> =>
  browser.go(service.issuer + authorizePath(client.request(changes)))

/** The names of the boxes on a consent page. */
const boxesOf = ({ text }: Page): readonly (string | undefined)[] =>
  [...text.matchAll(/name="permission" value="([^"]+)"/g)].map(([, name]) => name).toSorted()

/** All that a grant allows now. */
const readGrant = async (id: string) => {
  const { status, body } = await client.query(id)
  assert.equal(status, 200)
  const names = body.scopes.flatMap(({ scope }: { scope: string }) => scope.split(' '))
  return { names: names.toSorted(), details: body.authorization_details }
}

/** The page again, with nothing decided. */
const assertAskedAgain = (page: Page, boxes: readonly string[]): void => {
  assert.equal(page.status, 409)
  assert.match(page.text, /role="alert"[\s\S]*Nothing has been allowed yet/)
  assert.deepEqual(boxesOf(page), boxes)
}

describe('of two open updates of one grant, the second', () => {
  test('is shown again with what the first added, and takes nothing back', async () => {
    const browser = await enter(service)
    const { grant_id } = await client.obtain(create, {}, browser)
    const other = await client.obtain({ ...create, scope: 'contacts:read' }, {}, browser)
    const first = await open(browser, update(grant_id, { scope: 'contacts:read' }))
    const second = await open(browser, update(grant_id, { scope: 'calendar:read' }))
    assert.deepEqual(boxesOf(second), ['calendar:read', 'photos:read'])
    await browser.submit(first, { decision: 'allow' })
    const again = await browser.submit(second, { decision: 'allow' })
    const all = ['calendar:read', 'contacts:read', 'photos:read']
    assertAskedAgain(again, all)
    assert.deepEqual((await readGrant(grant_id)).names, ['contacts:read', 'photos:read'])
    assert.ok('code' in answerOf(await browser.submit(again, { decision: 'allow' })))
    assert.deepEqual((await readGrant(grant_id)).names, all)
    assert.deepEqual((await readGrant(other.grant_id)).names, ['contacts:read'])
  })

  test('allows no detail in the place of another', async () => {
    const browser = await enter(service)
    const { grant_id } = await client.obtain({ ...create, ...detailed(rent) }, {}, browser)
    const first = await open(browser, update(grant_id, detailed(coal)))
    const second = await open(browser, update(grant_id, detailed(gas)))
    await browser.submit(first, { decision: 'allow' })
    // The box of the rent, which is in the place of the coal by now.
    const again = await browser.submit(second, { decision: 'allow', detail: '1' })
    assertAskedAgain(again, ['photos:read'])
    assert.deepEqual((await readGrant(grant_id)).details, [coal, rent])
    assert.ok('code' in answerOf(await browser.submit(again, { decision: 'allow', detail: '2' })))
    assert.deepEqual((await readGrant(grant_id)).details, [rent])
  })

  test('may be denied as it is', async () => {
    const browser = await enter(service)
    const { grant_id } = await client.obtain(create, {}, browser)
    const late = await open(browser, update(grant_id, { scope: 'calendar:read' }))
    await client.answer(update(grant_id, { scope: 'contacts:read' }), {}, browser)
    const { error } = answerOf(await browser.submit(late, { decision: 'deny' }))
    assert.equal(error, 'access_denied')
    assert.deepEqual((await readGrant(grant_id)).names, ['contacts:read', 'photos:read'])
  })
})

describe('a page of an update', () => {
  test('that shows a permission which the grant lost since is shown again', async () => {
    const browser = await enter(service)
    const scope = 'contacts:read photos:read'
    const { grant_id } = await client.obtain({ ...create, scope }, {}, browser)
    const late = await open(browser, update(grant_id, { scope: 'calendar:read' }))
    await client.answer({ ...update(grant_id), grant_management_action: 'replace' }, {}, browser)
    const again = await browser.submit(late, { decision: 'allow' })
    assertAskedAgain(again, ['calendar:read', 'photos:read'])
    assert.deepEqual((await readGrant(grant_id)).names, ['photos:read'])
  })

  test('says what it showed, and no other page does', async () => {
    const browser = await enter(service)
    const { grant_id } = await client.obtain(create, {}, browser)
    const page = await open(browser, update(grant_id, { scope: 'contacts:read' }))
    const again = await browser.submit(page, { decision: 'allow', asked: [] })
    assertAskedAgain(again, ['contacts:read', 'photos:read'])
    const begun = await open(browser, create)
    assert.equal(formsOf(begun.text)[0]?.fields.asked, undefined)
  })
})

test('the code of an update has the ticked details, whichever place they had', async () => {
  const browser = await enter(service)
  const { grant_id } = await client.obtain({ ...create, ...detailed(rent, gas) }, {}, browser)
  const changed = await client.obtain(
    update(grant_id, detailed(coal)),
    { detail: ['0', '2'] },
    browser,
  )
  assert.deepEqual(changed.authorization_details, [coal, gas])
  assert.deepEqual((await readGrant(grant_id)).details, [coal, gas])
  const last = await client.obtain(update(grant_id, detailed(rent)), { detail: '2' }, browser)
  assert.deepEqual(last.authorization_details, [gas])
})

describe('an update with resource', () => {
  const contacts = () => ({ scope: 'contacts:read', resource: `${service.issuer}/api/contacts` })

  test('leaves its tokens good for all of the grant', async () => {
    const browser = await enter(service)
    const scope = 'email openid photos:read'
    const asked = { ...create, scope, ...detailed(books) }
    const { grant_id } = await client.obtain(asked, {}, browser)
    const changed = await client.obtain(update(grant_id, contacts()), {}, browser)
    assert.equal(changed.scope, 'contacts:read email openid photos:read')
    assert.deepEqual(changed.authorization_details, [books])
    const { aud } = await introspect(service, changed.access_token, client.credentials)
    const { issuer } = service
    const granted = [`${issuer}/userinfo`, `${issuer}/api/photos`, orders]
    assert.deepEqual(aud, [`${issuer}/api/contacts`, ...granted])
    assert.equal(await use(service, changed.access_token), 200)
    const refreshed = await refresh(service, changed.refresh_token, client.credentials)
    assert.equal(await use(service, refreshed.body.access_token), 200)
  })

  test('is refused where the URIs and the details are too long together', async () => {
    const browser = await enter(service)
    const long = (to: string) => ({ ...rent, to })
    const details = ['a', 'b', 'c', 'd', 'e'].map((one) => long(one.repeat(300)))
    const left = 2000 - JSON.stringify([...details, long('')]).length
    const asked = { ...create, ...detailed(...details, long('f'.repeat(left))) }
    const { grant_id } = await client.obtain(asked, {}, browser)
    const { error, error_description } = await client.answer(
      update(grant_id, contacts()),
      {},
      browser,
    )
    assert.equal(error, 'invalid_authorization_details')
    assert.match(error_description ?? '', /with those of the grant and the URIs of resource/)
  })
})

test('the page of a replacement shows nothing as allowed that it takes', async () => {
  const browser = await enter(service)
  const managing = await registerManaging(service)
  const scope = 'contacts:read photos:read'
  const { grant_id } = await managing.obtain({ ...create, scope }, {}, browser)
  const replace = { grant_management_action: 'replace', grant_id, scope: 'calendar:read' }
  const show = () => browser.go(service.issuer + authorizePath(managing.request(replace)))
  assert.doesNotMatch((await show()).text, /<b>See<\/b> your photos|your contacts|may already/)
  await managing.obtain(create, {}, browser)
  const { text } = await show()
  assert.match(text, /It may already see your photos until /)
  assert.doesNotMatch(text, /your contacts/)
})

describe('a grant with a part of a resource that was deleted', () => {
  /** A grant that has details of the resource in front of the others, and reads it. The name is used once. */
  const begin = async (browser: Browser, name: string, required_scope = ''): Promise<string> => {
    const operator = await operatorOf(service)
    const words = { title: 'Letters', read: 'See your letters', write: 'Change your letters' }
    assert.equal((await operator('POST', 'resources', { name, ...words })).status, 201)
    const scopes = `${name} photos contacts payments grant_management_query`
    const change = { scope: scopes, required_scope }
    const changed = await operator('PATCH', `clients/${client.credentials[0]}`, change)
    assert.equal(changed.status, 200, changed.text)
    const details = detailed({ type: name, actions: ['read'] }, rent)
    const scope = `${name}:read photos:read`
    const { grant_id } = await client.obtain({ ...create, scope, ...details }, {}, browser)
    assert.equal((await operator('DELETE', `resources/${name}`)).status, 204)
    return grant_id
  }

  test('shows each other detail with the box that decides about it', async () => {
    const browser = await enter(service)
    const id = await begin(browser, 'letters')
    const page = await open(browser, update(id, detailed(coal)))
    const boxes = [...page.text.matchAll(/name="detail" value="(\d)"/g)].map(([, place]) => place)
    assert.deepEqual(boxes, ['0', '2'])
    assert.ok('code' in answerOf(await browser.submit(page, { decision: 'allow', detail: '2' })))
    assert.deepEqual((await readGrant(id)).details, [rent])
  })

  test('requires no permission that is gone', async () => {
    const browser = await enter(service)
    const id = await begin(browser, 'parcels', 'parcels:read')
    const page = await open(browser, update(id, { scope: 'contacts:read' }))
    assert.deepEqual(boxesOf(page), ['contacts:read', 'photos:read'])
    assert.ok('code' in answerOf(await browser.submit(page, { decision: 'allow' })))
    assert.deepEqual((await readGrant(id)).names, ['contacts:read', 'photos:read'])
  })
})
