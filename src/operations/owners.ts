/** The resource owners of the service: found, made and changed. */

import { isRaised, isRole } from '../model/owner.ts'
import { sayCounter } from '../owners/counters.ts'
import { addHashKind } from '../owners/hashes/index.ts'
import {
  addressTaken,
  explainTaken,
  giveRoles,
  ownerForms,
  parseKeptWays,
  parseOwner,
  parseOwnerChange,
} from '../owners/registration.ts'
import { type KeptWait, ownerStates } from '../store/contract/owner.ts'
import {
  allow,
  describeFound,
  filterId,
  findTextCursor,
  pickPresent,
  searchWords,
  timeFilter,
} from './lists.ts'
import {
  describeOwner,
  explainUnchanged,
  findChangeable,
  findNamed,
  ownerAnswer,
  refuseOneself,
} from './named-owner.ts'
import { defineRow, makeForm, makeFoundPage, mapAnswer, seconds, text } from './operation.ts'
import { checkRoles, unknown } from './operator.ts'
import { needMembers, parseObject, yes } from './surface/cli.ts'
import { readOwnerMembers, readRoles, sayOwner, sayRoles } from './surface/owner-flags.ts'
import { show } from './surface/said.ts'

const ownerForm = makeForm('Owner', (z) => z.strictObject(ownerAnswer.shape(z)))

/** `any`: whoever has one. */
const role = filterId<string>('only owners with this role, or with any', 'any', isRole, 'a role')

export const listOwners = defineRow({
  route: 'GET /admin/api/owners',
  says: 'List or search owners',
  commands: {
    usage: 'owner list',
    does: 'list or search owners, in the order of found words and usernames',
    examples: [
      'latchkey owner list --search "ada okoro"',
      'latchkey owner list --state disabled --limit 20',
      'latchkey owner list --login-before 2026-08-01T00:00:00Z',
    ],
    flags: [
      ['--search <text>', 'only owners with words of username, name or address that begin so'],
      ['--role <role>', 'only owners with this role, or with any'],
      ['--state <state>', 'only owners who are enabled, disabled or leaving'],
      ['--login-since <time>', 'only owners whose last login is not before'],
      ['--login-before <time>', 'only owners whose last login is before, or was never'],
      ['--limit <number>', 'so many at most (default: all)'],
    ],
    list: {
      head: ['username', 'name', 'email', 'disabled', 'id'],
      empty: 'There are no owners.',
    },
  },
  filters: {
    search: searchWords,
    role,
    state: allow(ownerStates, 'only owners in this state'),
    login_since: timeFilter('the last login is not before this time: unix seconds, or RFC 3339'),
    login_before: timeFilter('the last login is before this time, or there is none'),
  },
  answers: { 200: makeFoundPage('OwnerPage', ownerForm.make) },
  async run({ filters, query, limit }, { store }) {
    const { login_since: loginSince, login_before: loginBefore, ...others } = filters
    const filter = pickPresent({ ...others, loginSince, loginBefore })
    const found = await store.listOwnersBy(filter, findTextCursor(query), limit)
    return describeFound(found, describeOwner)
  },
})

export const createOwner = defineRow({
  route: 'POST /admin/api/owners',
  says: 'Create an owner',
  commands: [
    {
      usage: 'owner add <username>',
      does: 'add an owner',
      examples: ['latchkey owner add alice --name "Alice Liddell" --email alice@example.com'],
      flags: [
        ['--name <name>', 'their name'],
        ['--email <address>', 'their email address'],
        ['--attributes <json>', 'facts about them, which words of the setting claims tell'],
        ['--role <role...>', 'roles, such as operator or auditor'],
        [
          '--password-stdin',
          'read the password from standard input (default: print a link with which they choose one)',
        ],
      ],
      first: true,
      reads: 'password if asked',
    },
    {
      usage: 'owner invite <username>',
      does: 'print or send a link to choose a first password',
      examples: ['latchkey owner invite bob --email bob@example.com --send'],
      flags: [
        ['--name <name>', 'their name, if they are new'],
        ['--email <address>', 'their email address, if they are new'],
        ['--send', 'send it by mail to that address'],
      ],
    },
  ],
  body: {
    form: makeForm('NewOwner', (z) =>
      ownerForms().creation.extend({
        password: z.string().nullish().describe('null: the owner chooses one by a link'),
        password_hash: z.string().optional().describe('a hash of another server'),
      }),
    ),
    example: { username: 'carol', password: null, name: 'Carol', email: 'carol@example.com' },
  },
  answers: { 201: ownerForm },
  madeAs: 'id',
  async run({ operator, given, trace }, parts) {
    const owner = await parseOwner(given, parts)
    checkRoles(operator, owner)
    await addHashKind(owner, new Set(await parts.store.listPasswordKinds()), parts)
    const secret = given.password_hash === undefined ? undefined : 'given'
    if ((await parts.store.createOwner(owner, trace(), secret)) === 'taken') {
      throw await explainTaken(owner, parts)
    }
    return describeOwner(owner)
  },
})

const wait = mapAnswer<KeptWait>({
  counter: [text, ({ key }) => sayCounter(key)],
  until: [seconds, 'until'],
})

export const readOwner = defineRow({
  route: 'GET /admin/api/owners/:id',
  says: 'Read an owner, and how long further tries to log in have to wait',
  commands: {
    usage: 'owner show <username>',
    does: 'show an owner, by username or id, and what makes them wait',
    examples: ['latchkey owner show alice'],
    text: ({ json }) => sayOwner(json),
  },
  answers: {
    200: makeForm('OwnerWithWaits', (z) =>
      z.strictObject({
        ...ownerAnswer.shape(z),
        waits: z.array(z.strictObject(wait.shape(z))).describe('by wrong tries; the longest first'),
      }),
    ),
  },
  find: findNamed,
  async run({ on: owner, exchange: { at } }, { store }) {
    const waits = await store.listWaits(owner.id, at)
    return { ...describeOwner(owner), waits: waits.map(wait.describe) }
  },
})

export const changeOwner = defineRow({
  route: 'PATCH /admin/api/owners/:id',
  says: 'Change the members of an owner that the body has',
  commands: [
    {
      usage: 'owner change <username>',
      does: 'change what the flags name',
      examples: ['latchkey owner change alice --email alice@example.org'],
      flags: [
        ['--name <name>', 'their name'],
        ['--email <address>', 'their email address'],
        ['--attributes <json>', 'all of their attributes'],
      ],
      body: (flags) => needMembers(readOwnerMembers(flags)),
    },
    {
      usage: 'owner set-attributes <username> <json>',
      does: 'replace the attributes of an owner',
      examples: [`latchkey owner set-attributes alice '{"department": "sales"}'`],
      body: (_flags, [, json]) => ({
        attributes: parseObject(json, 'what stands behind the username'),
      }),
      text: ({ json: { username, attributes } }) =>
        `${show(username)} has the attributes ${JSON.stringify(attributes)}.`,
    },
    {
      usage: 'owner set-roles <username>',
      does: 'replace the roles of an owner: operator and auditor open the console',
      examples: ['latchkey owner set-roles alice --role auditor', 'latchkey owner set-roles alice'],
      flags: [
        ['--role <role...>', 'all of their roles (default: none)'],
        ['--keep <way...>', 'ways to log in that others may have set, and that stay'],
      ],
      body: readRoles,
      text: ({ json: { username, roles } }) => sayRoles(show(username), roles as readonly string[]),
    },
    {
      usage: 'owner disable <username>',
      does: 'let nobody in with this account, and refuse what it approved',
      examples: ['latchkey owner disable alice'],
      body: () => ({ disabled: true }),
      text: ({ json: { username } }) =>
        `${show(username)} is disabled: nobody logs in with it, and what it approved is refused until it is enabled.`,
    },
    {
      usage: 'owner enable <username>',
      does: 'let a disabled owner in again',
      examples: ['latchkey owner enable alice'],
      body: () => ({ disabled: false }),
      text: ({ json: { username } }) => `${show(username)} is enabled.`,
    },
  ],
  body: {
    form: makeForm('OwnerChange', () => ownerForms().change),
    example: { name: 'Carol Example' },
  },
  answers: { 200: ownerForm },
  find: findNamed,
  async run({ on: owner, operator, given, exchange, trace }, parts) {
    const change = parseOwnerChange(given)
    const { roles } = change
    if (roles !== undefined || change.disabled === true) refuseOneself(exchange, owner)
    checkRoles(operator, owner)
    checkRoles(operator, { roles: roles ?? [] })
    if (roles !== undefined && isRaised(owner, { roles })) {
      const to = { ...change, roles }
      const raised = await giveRoles(owner.id, to, parseKeptWays(given), trace(), parts)
      if (raised === null) throw unknown('owner')
      return describeOwner(raised)
    }
    const changed =
      Object.keys(change).length === 0
        ? owner
        : await parts.store.changeOwner(owner.id, change, trace(), owner.roles)
    if (changed === 'address_taken') throw addressTaken()
    if (changed === null) throw await explainUnchanged(owner, parts)
    return describeOwner(changed)
  },
})

export const deleteOwner = defineRow({
  route: 'DELETE /admin/api/owners/:id',
  says: 'Delete an owner and all that is stored of them',
  commands: {
    usage: 'owner delete <username>',
    does: 'delete an owner, with all data and approvals, at once',
    examples: ['latchkey owner delete alice --yes'],
    flags: [yes],
    confirm: ({ found: { username } }) =>
      `${show(username)} goes, with all logins, data and the access of applications.`,
    json: ({ found: { username } }) => ({ deleted: username }),
    text: ({ found: { username } }) => `${show(username)} is deleted, with all it had.`,
  },
  answers: { 204: null },
  find: findChangeable,
  async run({ on: owner, exchange, trace }, parts) {
    refuseOneself(exchange, owner)
    const isDone = await parts.store.deleteOwner(owner.id, trace(), owner.roles)
    if (!isDone) throw await explainUnchanged(owner, parts)
    return null
  },
})

export const ownerOperations = { listOwners, createOwner, readOwner, changeOwner, deleteOwner }
