/** What operators ask of the admin API about resources. */
import assert from 'node:assert/strict'
import { type Operator, operatorOf } from '../flows/operator.ts'
import type { Reachable } from '../support/browser.ts'
import { newName } from '../support/people.ts'
import { assertDone, type Operation, operation, reading } from './operation.ts'

interface Listed {
  readonly name: string
  readonly title: string
}

/** The list reads the store, so it also shows what this node has not heard of. */
const findIn = async (operator: Operator, name: string): Promise<Listed | null> => {
  const { status, body, text } = await operator('GET', 'resources')
  assert.equal(status, 200, text)
  const items: readonly Listed[] = body.items
  return items.find((one) => one.name === name) ?? null
}

const newResource = async (service: Reachable) => {
  const operator = await operatorOf(service)
  const words = { title: 'Old', read: 'See your orders', write: 'Place orders' }
  const json = { name: newName(), ...words }
  return {
    path: `resources/${json.name}`,
    operator,
    create: () => operator('POST', 'resources', json),
    find: () => findIn(operator, json.name),
  }
}

/** A resource that is there. */
const keptResource = async (service: Reachable) => {
  const resource = await newResource(service)
  const { status, text } = await resource.create()
  assert.equal(status, 201, text)
  return resource
}

/** There may be few resources, so each of these operations deletes its own one at the end. */
const createResource = operation('create resource', 'createResource', async (service) => {
  const { operator, path, create, find } = await newResource(service)
  return {
    ask: create,
    settle: async (done) => {
      const found = await find()
      assertDone(found !== null, done)
      assert.equal((await create()).status, found === null ? 201 : 409)
      assert.equal((await operator('DELETE', path)).status, 204)
    },
  }
})

const changeResource = operation('change resource', 'changeResource', async (service) => {
  const { operator, path, find } = await keptResource(service)
  return {
    ask: () => operator('PATCH', path, { title: 'New' }),
    settle: async (done) => {
      assertDone((await find())?.title === 'New', done)
      assert.equal((await operator('DELETE', path)).status, 204)
    },
  }
})

const deleteResource = operation('delete resource', 'deleteResource', async (service) => {
  const { operator, path, find } = await keptResource(service)
  return {
    ask: () => operator('DELETE', path),
    settle: async (done) => {
      const found = await find()
      assertDone(found === null, done)
      const again = await operator('DELETE', path)
      assert.equal(again.status, found === null ? 404 : 204)
    },
  }
})

const seeResources = ['resources', 'resources/photos'].map((path) =>
  reading(`see ${path}`, async (service) => {
    const operator = await operatorOf(service)
    return () => operator('GET', path)
  }),
)

export const resourceOperations: readonly Operation[] = [
  createResource,
  changeResource,
  deleteResource,
  ...seeResources,
]
