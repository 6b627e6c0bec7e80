/** Changes to a grant that move while its owner decides: the owner allows what the page showed, and nothing else. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { enter } from '../support/authorization.ts'
import { answerOf, type Browser, type Page } from '../support/browser.ts'
import { rent, startWithDetails } from '../support/details.ts'
import { type Managing, registerManaging } from '../support/grants.ts'
import { authorizePath } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'
import { operatorOf } from './operator.ts'

let client: Managing
const service = startBefore(startWithDetails, async () => {
  client = await registerManaging(service)
})

const create = { grant_management_action: 'create' }
const coal = { ...rent, to: 'Coal merchant' }

const detailed = (...some: readonly object[]) => ({ authorization_details: JSON.stringify(some) })

const update = (grant_id: string, changes: Readonly<Record<string, string>> = {}) => ({
  grant_management_action: 'update',
  grant_id,
  ...changes,
})

/** The consent page of a request. */
const open = (browser: Browser, changes: Readonly<Record<string, string>>): Promise<Page> =>
  browser.go(service.issuer + authorizePath(client.request(changes)))

/** All that a grant allows now. */
const readGrant = async (id: string) => {
  const { status, body } = await client.query(id)
  assert.equal(status, 200)
  const names = body.scopes.flatMap(({ scope }: { scope: string }) => scope.split(' '))
  return { names: names.toSorted(), details: body.authorization_details }
}

describe('a grant with a part of a resource that was deleted', () => {
  const letter = { type: 'letters', actions: ['read'] }

  /** A grant with the details of the letters in front of the others. */
  const begin = async (
    browser: Browser,
    changes: Readonly<Record<string, string>> = {},
  ): Promise<string> => {
    const operator = await operatorOf(service)
    const words = { title: 'Letters', read: 'See your letters', write: 'Change your letters' }
    assert.equal((await operator('POST', 'resources', { name: 'letters', ...words })).status, 201)
    const asked = { ...create, ...detailed(letter, rent), ...changes }
    const { grant_id } = await client.obtain(asked, {}, browser)
    assert.equal((await operator('DELETE', 'resources/letters')).status, 204)
    return grant_id
  }

  test('shows each other detail with the box that decides about it', async () => {
    const browser = await enter(service)
    const id = await begin(browser)
    const page = await open(browser, update(id, detailed(coal)))
    const boxes = [...page.text.matchAll(/name="detail" value="(\d)"/g)].map(([, place]) => place)
    assert.deepEqual(boxes, ['0', '2'])
    assert.ok('code' in answerOf(await browser.submit(page, { decision: 'allow', detail: '2' })))
    assert.deepEqual((await readGrant(id)).details, [rent])
  })
})
