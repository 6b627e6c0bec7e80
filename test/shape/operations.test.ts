/** The three doors of an operator offer the same: the admin API, the command line and the console. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Command } from 'commander'
import { createProgram } from '../../src/cli/program.ts'
import { operations } from '../../src/operations/index.ts'
import type { Operation } from '../../src/operations/operation.ts'
import { getPermissions } from '../../src/operations/operator.ts'
import { describeApi, described } from '../../src/operations/surface/api.ts'
import { getCommandName } from '../../src/operations/surface/cli.ts'
import type { RouteRow } from '../../src/route.ts'
import { listRows } from '../support/rows.ts'
import { sources } from './source.ts'

const served = listRows()
const { paths } = describeApi('https://login.example')

/** The names of the parameters that the OpenAPI document has for a query. */
const parametersOf = (method: string, path: string): readonly string[] => {
  const found = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
  assert.ok(found, path)
  return found.parameters.filter((one) => one.in === 'query').map(({ name }) => String(name))
}

const find = (method: string, path: string) =>
  served.filter((route) => route.method === method && route.path === path)

const commandsOf = (command: Command, name = ''): readonly (readonly [string, Command])[] =>
  command.commands.flatMap((one) => {
    const path = `${name} ${one.name()}`.trim()
    return one.commands.length === 0 ? [[path, one] as const] : commandsOf(one, path)
  })

const commands = new Map(commandsOf(createProgram(() => {})))

/** Commands that ask another machine, without a row of their own. */
const withoutRow: Readonly<Record<string, string>> = {
  login: 'it gets the token that the others need',
  logout: 'it ends that token',
  'event follow': 'the list of events again and again, with a position to keep',
  apply: 'the lists of several kinds, and each change by its own row',
  export: 'the lists of several kinds as one file',
}

/** Operations without a command. */
const withoutCommand: Readonly<Record<string, string>> = {
  listSessions: 'logins are looked at on the page of the owner',
  endSessions: 'owner disable or owner set-password ends logins',
  endAccess: 'owner disable refuses all access, and authorization end ends one',
}

/** Operations without a place in the console. */
const notInConsole: Readonly<Record<string, string>> = {
  linkOwner: 'the id of an account is known to programs of the directory, and to no person',
  setPassword: 'an operator gives a link, and never learns a password',
  readAuthorization: 'the list shows all of it',
  changeAuthorization: 'the owner narrows and pauses; an operator of the console ends',
  readRefusal: 'the page of the list explains one as well',
  revokeToken: 'a presented token is shown with its authorization, which the console ends',
}

/** Lists of the console and the command line that are a part of another page or command. */
const withoutList: Readonly<Record<string, string>> = {
  listSessions: 'the page of the owner shows the logins',
}

/** Lists of the command line that are a part of another page of the console. */
const partOfPage: Readonly<Record<string, string>> = {
  listGroupMembers: 'the page of the group shows its members',
}

/** Changes by a request that reads: the token comes in the body, never in a URL. */
const readsByPost: Readonly<Record<string, string>> = {
  inspectToken: 'a token is looked up, and nothing changes',
}

const routeOf = ({ method, path }: Operation): string => `${method} ${path}`

/** The rows of the console that offer an operation. */
const offering = (operation: Operation): readonly RouteRow[] =>
  served.filter(({ offers = [] }) => offers.includes(routeOf(operation)))

const isList = ({ filters }: Operation): boolean => filters !== undefined

const isChange = ({ permission }: Operation): boolean => permission.endsWith(':write')

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
      const command = commands.get(getCommandName(row))
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
    const rows = operations.flatMap(({ commands: of = [] }) => of.map(getCommandName))
    assert.deepEqual(
      remote.map(([name]) => name).toSorted(),
      [...rows, ...Object.keys(withoutRow)].toSorted(),
    )
  })

  it('has a place in the console, or a reason to have none', () => {
    const offered = operations.filter((one) => offering(one).length > 0).map(({ id }) => id)
    assert.deepEqual([...offered, ...Object.keys(notInConsole)].toSorted(), ids.toSorted())
    assert.ok(served.every(({ path, offers }) => offers === undefined || /^\/admin\b/.test(path)))
  })

  it('is a form of the console where it changes something, and a page where it reads', () => {
    for (const operation of operations) {
      const methods = new Set(offering(operation).map(({ method }) => method))
      if (methods.size === 0) continue
      const isForm = isChange(operation) || operation.id in readsByPost
      assert.deepEqual([...methods], [isForm ? 'POST' : 'GET'], operation.id)
    }
    const posts = operations.filter((one) => !isChange(one) && one.method !== 'GET')
    assert.deepEqual(
      posts.map(({ id }) => id),
      Object.keys(readsByPost),
    )
  })

  it('is a list at each door, or at none', () => {
    for (const operation of operations) {
      const { id, path, commands: of = [], filters = {} } = operation
      const said = of.filter(({ list }) => list !== undefined)
      const listed = offering(operation).filter(
        (row) => row.path.startsWith('/admin/') && row.isList,
      )
      const isWhole = isList(operation) && !(id in withoutList)
      const wanted = isWhole ? [1, id in partOfPage ? 0 : 1] : [0, 0]
      assert.deepEqual([said.length, listed.length], wanted, id)
      const parameters = parametersOf(operation.method, path)
      const expected = isList(operation) ? [...Object.keys(filters), 'after', 'limit'] : []
      assert.deepEqual(parameters, expected, id)
    }
  })

  it('is asked for by its own permission at each door', () => {
    const roles = { operator: getPermissions('operator'), auditor: getPermissions('auditor') }
    for (const operation of operations) {
      const { permission } = operation
      assert.ok(roles.operator.includes(permission), operation.id)
      assert.equal(roles.auditor.includes(permission), !isChange(operation), operation.id)
    }
  })

  it('is done by the console through its row alone', () => {
    const pages = sources.filter(({ path }) =>
      /^(rooms\/console\/|features\/[^/]+\/console-)/.test(path),
    )
    const names = pages.flatMap(({ code }) =>
      [...code.matchAll(/\b(?:operation: |create: |change: |offers: \[|offer\()([a-z]\w+)/g)].map(
        ([, name = '']) => name,
      ),
    )
    const asked = operations.filter((one) => offering(one).length > 0 && isChange(one))
    assert.deepEqual(
      asked.map(({ id }) => id).filter((id) => !names.includes(id)),
      [],
    )
  })
})
