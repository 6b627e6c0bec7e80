/** Groups of owners, links by operators, and the waits that an operator ends. */
import assert from 'node:assert/strict'
import { operatorOf } from '../flows/operator.ts'
import type { Reachable } from '../support/browser.ts'
import { newName, newPerson } from '../support/people.ts'
import { assertDone, type Operation, operation, passwordGrant, reading } from './operation.ts'

const newGroup = async (service: Reachable) => {
  const person = await newPerson(service)
  const name = newName()
  const { status, text } = await person.operator('POST', 'groups', { name })
  assert.equal(status, 201, text)
  const listGroups = async (): Promise<readonly string[]> => {
    const { body } = await person.operator('GET', `owners/${person.id}/groups`)
    return body.groups.map((one: { readonly name: string } | string) =>
      typeof one === 'string' ? one : one.name,
    )
  }
  return { ...person, name, path: `groups/${name}`, listGroups }
}

const create = operation('create group', 'createGroup', async (service) => {
  const operator = await operatorOf(service)
  const name = newName()
  return {
    ask: () => operator('POST', 'groups', { name }),
    settle: async (done) =>
      assertDone((await operator('GET', `groups/${name}`)).status === 200, done),
  }
})

const rename = operation('rename group', 'renameGroup', async (service) => {
  const { operator, path } = await newGroup(service)
  const name = newName()
  return {
    ask: () => operator('PATCH', path, { name }),
    settle: async (done) =>
      assertDone((await operator('GET', `groups/${name}`)).status === 200, done),
  }
})

const remove = operation('delete group', 'deleteGroup', async (service) => {
  const { operator, path } = await newGroup(service)
  return {
    ask: () => operator('DELETE', path),
    settle: async (done) => assertDone((await operator('GET', path)).status === 404, done),
  }
})

const addMember = operation('add a member', 'changeGroupMembers', async (service) => {
  const { operator, path, username, name, listGroups } = await newGroup(service)
  return {
    ask: () => operator('POST', `${path}/members`, { add: [username] }),
    settle: async (done) => assertDone((await listGroups()).includes(name), done),
  }
})

const setGroups = operation('set groups', 'setOwnerGroups', async (service) => {
  const { operator, id, name, listGroups } = await newGroup(service)
  return {
    ask: () => operator('PUT', `owners/${id}/groups`, { groups: [name] }),
    settle: async (done) => assertDone((await listGroups()).includes(name), done),
  }
})

const lists = ['', '/members'].map((rest) =>
  reading(`see group${rest}`, async (service) => {
    const { operator, path } = await newGroup(service)
    return () => operator('GET', `${path}${rest}`)
  }),
)

const ofOwner = reading('see the groups of an owner', async (service) => {
  const { operator, id } = await newGroup(service)
  return () => operator('GET', `owners/${id}/groups`)
})

const list = reading('see groups', async (service) => {
  const operator = await operatorOf(service)
  return () => operator('GET', 'groups')
})

const unlock = operation('unlock owner', 'endWaits', async (service) => {
  const { operator, id, username } = await newPerson(service)
  for (let tries = 0; tries < 6; tries++) await passwordGrant(service, username, 'wrong')
  assert.equal((await passwordGrant(service, username)).status, 429)
  return {
    ask: () => operator('POST', `owners/${id}/unlock`),
    settle: async (done) =>
      assertDone((await passwordGrant(service, username)).status === 200, done),
  }
})

/** @param upstream its id in the settings */
export const groupOperations = (upstream: string): readonly Operation[] => [
  create,
  rename,
  remove,
  addMember,
  setGroups,
  ...lists,
  list,
  ofOwner,
  unlock,
  operation('link by an operator', 'linkByOperator', async (service) => {
    const { operator, id } = await newPerson(service)
    const link = { upstream, subject: newName() }
    return {
      ask: () => operator('POST', `owners/${id}/upstreams`, link),
      settle: async (done) => {
        const { status } = await operator('POST', `owners/${id}/upstreams`, link)
        assertDone(status !== 201, done)
      },
    }
  }),
]
