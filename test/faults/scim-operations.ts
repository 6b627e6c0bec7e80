/** Requests of a directory by SCIM. */
import assert from 'node:assert/strict'
import type { Reachable } from '../support/browser.ts'
import { newName } from '../support/people.ts'
import {
  addGroup,
  addUser,
  type Directory,
  groupSchema,
  openDirectory,
  patchOf,
  userSchema,
} from '../support/scim.ts'
import { assertDone, type Operation, operation, reading } from './operation.ts'

const search = (name: string, value: string) =>
  `?filter=${encodeURIComponent(`${name} eq "${value}"`)}`

const create = (name: string, step: 'createScimUser' | 'createScimGroup', path: string) =>
  operation(name, step, async (service) => {
    const { ask } = await openDirectory(service)
    const named = newName()
    const isUser = path === '/Users'
    const member = isUser ? 'userName' : 'displayName'
    const sent = { schemas: [isUser ? userSchema : groupSchema], [member]: named }
    return {
      ask: () => ask('POST', path, sent),
      settle: async (done) => {
        const { body } = await ask('GET', path + search(member, named))
        assertDone(body.totalResults === 1, done)
      },
    }
  })

const open = async (service: Reachable) => {
  const directory: Directory = await openDirectory(service)
  const user = await addUser(directory)
  const group = await addGroup(directory, newName(), [user.id])
  return { ...directory, user: `/Users/${user.id}`, group: `/Groups/${group.id}` }
}

const change = (name: string, step: 'changeScimUser' | 'changeScimGroup', of: 'user' | 'group') =>
  operation(name, step, async (service) => {
    const { ask, [of]: path } = await open(service)
    const displayName = newName()
    const patch = patchOf({ op: 'replace', value: { displayName } })
    return {
      ask: () => ask('PATCH', path, patch),
      settle: async (done) =>
        assertDone((await ask('GET', path)).body.displayName === displayName, done),
    }
  })

const remove = (name: string, step: 'deleteScimUser' | 'deleteScimGroup', of: 'user' | 'group') =>
  operation(name, step, async (service) => {
    const { ask, [of]: path } = await open(service)
    return {
      ask: () => ask('DELETE', path),
      settle: async (done) => assertDone((await ask('GET', path)).status === 404, done),
    }
  })

export const scimOperations: readonly Operation[] = [
  create('provision a user', 'createScimUser', '/Users'),
  create('provision a group', 'createScimGroup', '/Groups'),
  change('change a provisioned user', 'changeScimUser', 'user'),
  change('change a provisioned group', 'changeScimGroup', 'group'),
  remove('delete a provisioned user', 'deleteScimUser', 'user'),
  remove('delete a provisioned group', 'deleteScimGroup', 'group'),
  ...['/Users', '/Groups'].map((path) =>
    reading(
      `list provisioned ${path}`,
      async (service) => {
        const { ask } = await open(service)
        return () => ask('GET', path)
      },
      ({ body }) => assert.equal(body.totalResults, 1),
    ),
  ),
]
