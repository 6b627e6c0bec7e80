/** The three doors of an operator offer the same: the admin API, the command line and the console. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Command } from 'commander'
import { createProgram } from '../../src/cli/program.ts'
import { operations } from '../../src/operations/index.ts'
import { described } from '../../src/operations/surface/api.ts'
import { commandName } from '../../src/operations/surface/cli.ts'
import { listRows } from '../support/rows.ts'
import { sources } from './source.ts'

const served = listRows()

const find = (method: string, path: string) =>
  served.filter((route) => route.method === method && route.path === path)

const commandsOf = (command: Command, name = ''): readonly (readonly [string, Command])[] =>
  command.commands.flatMap((one) => {
    const path = `${name} ${one.name()}`.trim()
    return one.commands.length === 0 ? [[path, one] as const] : commandsOf(one, path)
  })

const commands = new Map(commandsOf(createProgram({ complain: () => {} })))

/** Commands that ask another machine, without a row of their own. */
const withoutRow: Readonly<Record<string, string>> = {
  'event follow': 'the list of events again and again, with a position to keep',
}

/** Operations without a command. */
const withoutCommand: Readonly<Record<string, string>> = {
  listSessions: 'logins are looked at on the page of the owner',
  endSessions: 'owner disable or owner set-password ends logins',
  endAccess: 'owner disable refuses all access, and authorization end ends one',
}

/** The page of the console with a list, or the form with an action. */
const inConsole: Readonly<Record<string, string>> = {
  listClients: 'GET /admin/clients',
  createClient: 'POST /admin/new-client',
  readClient: 'GET /admin/clients/:client_id',
  changeClient: 'POST /admin/clients/:client_id/edit',
  deleteClient: 'POST /admin/clients/:client_id',
  rotateSecret: 'POST /admin/clients/:client_id',
  endClientTokens: 'POST /admin/clients/:client_id',
  revokeRegistration: 'POST /admin/clients/:client_id',
  listOwners: 'GET /admin/owners',
  createOwner: 'POST /admin/owners',
  readOwner: 'GET /admin/owners/:id',
  changeOwner: 'POST /admin/owners/:id',
  deleteOwner: 'POST /admin/owners/:id',
  createLink: 'POST /admin/owners/:id',
  listSessions: 'GET /admin/owners/:id',
  endSessions: 'POST /admin/owners/:id',
  endAccess: 'POST /admin/owners/:id',
  resetFactors: 'POST /admin/owners/:id',
  listResources: 'GET /admin/resources',
  createResource: 'POST /admin/new-resource',
  readResource: 'GET /admin/resources/:name',
  changeResource: 'POST /admin/resources/:name/edit',
  deleteResource: 'POST /admin/resources/:name',
  listAuthorizations: 'GET /admin/authorizations',
  endAuthorization: 'POST /admin/authorizations',
  listEvents: 'GET /admin/events',
  listKeys: 'GET /admin/keys',
  rotateKeys: 'POST /admin/keys',
  withdrawKey: 'POST /admin/keys',
  inspectToken: 'POST /admin/token',
  listRefusals: 'GET /admin/explain',
  readRefusal: 'GET /admin/explain',
}

/** Operations without a place in the console. */
const notInConsole: Readonly<Record<string, string>> = {
  setPassword: 'an operator gives a link, and never learns a password',
  readAuthorization: 'the list shows all of it',
  changeAuthorization: 'the owner narrows and pauses; an operator of the console ends',
  revokeToken: 'a presented token is shown with its authorization, which the console ends',
}

/** Forms of the console that are more than one operation. The others act by the row. */
const ownForms: Readonly<Record<string, string>> = {
  createOwner: 'the invitation goes with the owner, on the same page',
  withdrawKey: 'a sealing key is unknown to this form',
  inspectToken: 'a page that reads, and changes nothing',
}

const ids = operations.map(({ id }) => id)

describe('an operation', () => {
  it('has one route, which an OpenAPI document describes', () => {
    for (const { id, method, path } of operations) {
      const found = find(method, path)
      assert.deepEqual(
        found.map(({ refusedAs, cors }) => [refusedAs, cors]),
        [['problem', undefined]],
        id,
      )
      assert.equal(described.filter((one) => one.id === id).length, 1, id)
    }
  })

  it('has a command with the flags of its row, or a reason to have none', () => {
    const rows = operations.flatMap(({ commands: of = [] }) => of)
    for (const row of rows) {
      const command = commands.get(commandName(row))
      assert.ok(command, row.usage)
      const written = command.options.map(({ flags }) => flags)
      for (const [flag] of row.flags ?? []) assert.ok(written.includes(flag), row.usage)
      assert.equal(command.description(), row.does)
    }
    const bare = operations.filter(({ commands: of = [] }) => of.length === 0)
    assert.deepEqual(bare.map(({ id }) => id).toSorted(), Object.keys(withoutCommand).toSorted())
  })

  it('stands behind every command for another machine', () => {
    const remote = [...commands].filter(([, command]) =>
      command.options.some(({ long, hidden }) => long === '--server' && !hidden),
    )
    const rows = operations.flatMap(({ commands: of = [] }) => of.map(commandName))
    assert.deepEqual(
      remote.map(([name]) => name).toSorted(),
      [...rows, ...Object.keys(withoutRow)].toSorted(),
    )
  })

  it('has a place in the console, or a reason to have none', () => {
    assert.deepEqual(
      [...Object.keys(inConsole), ...Object.keys(notInConsole)].toSorted(),
      ids.toSorted(),
    )
    for (const [id, place] of Object.entries(inConsole)) {
      const [method = '', path = ''] = place.split(' ')
      assert.equal(find(method, path).length, 1, id)
    }
  })

  it('is what a form of the console does', () => {
    const pages = sources.filter(({ path }) => path.startsWith('rooms/console/'))
    const names = pages.flatMap(({ code }) =>
      [...code.matchAll(/\b(?:operation: |performs\()([a-z]\w+)/g)].map(([, name = '']) => name),
    )
    const changes = operations.filter(({ id, method }) => method !== 'GET' && id in inConsole)
    const asked = changes.map(({ id }) => id).filter((id) => !(id in ownForms))
    assert.deepEqual([...new Set(names)].toSorted(), asked.toSorted())
  })
})
