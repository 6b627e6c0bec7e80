/** `latchkey apply` and `latchkey export --apply`, on services in this process. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { AskAdmin } from '../../src/cli/api.ts'
import { makeAdminApi } from '../../src/cli/api.ts'
import { carryOut } from '../../src/cli/apply/carry-out.ts'
import { writeState } from '../../src/cli/apply/export.ts'
import { readApplyFile } from '../../src/cli/apply/file.ts'
import { makePlan, sayPlan } from '../../src/cli/apply/plan.ts'
import { UsageFault } from '../../src/config/remote.ts'
import { blocksOf } from '../shape/blocks.ts'
import { root } from '../shape/source.ts'
import { apiOf } from '../support/commands.ts'
import { memoryOr } from '../support/memory.ts'
import { start, startBefore } from '../support/start.ts'

const place = mkdtempSync(join(memoryOr(), 'latchkey-apply-'))
after(() => rmSync(place, { recursive: true }))

const service = startBefore(start)
const other = startBefore(start)

const secret = 'bcdefghijk'.repeat(4)
writeFileSync(join(place, 'secret'), `${secret}\n`)

let count = 0
const write = (text: string): string => {
  const path = join(place, `${count++}.yaml`)
  writeFileSync(path, text)
  return path
}
const read = (text: string) => readApplyFile(write(text))

const plan = async (text: string, prune = false, of = service) =>
  makePlan(apiOf(of), await read(text), prune)

const outcomesOf = (carried: Awaited<ReturnType<typeof carryOut>>) =>
  carried.map(({ change, outcome, reason }) => [change.id, outcome, reason])

const apply = async (text: string, prune = false, of = service) =>
  outcomesOf(await carryOut(apiOf(of), await plan(text, prune, of)))

/** The example of the page, with a secret that the test has. */
const page = readFileSync(join(root, 'docs/apply.md'), 'utf8')
const example = blocksOf('docs/apply.md', page).find(({ language }) => language === 'yaml')
const state = String(example?.text).replace('{ env: SHOP_SECRET }', '{ file: secret }')

describe('latchkey apply', () => {
  test('makes what a file says, in the order of what names what, and changes nothing twice', async () => {
    const planned = await plan(state)
    const said = sayPlan(planned)
    assert.match(said, /^\+ resource orders\n {4}\+ name: "orders"\n/)
    assert.match(said, /\n {4}\+ client_secret: from the file "secret"\n/)
    assert.ok(!said.includes(secret))
    const ids = ['orders', 'Sales', 'shop', 'till', 'acme']
    const carried = outcomesOf(await carryOut(apiOf(service), planned))
    assert.deepEqual(
      carried,
      ids.map((id) => [id, 'done', null]),
    )
    assert.deepEqual(await plan(state), { changes: [], kept: [] })
    const form = { grant_type: 'client_credentials' }
    const { body } = await service.post('/token', form, ['shop', secret])
    // The secret is right, and the grant is not its own.
    assert.equal(body.error, 'unauthorized_client')
    const events = await apiOf(service).list('events', { client: 'shop' })
    assert.deepEqual(
      events.map(({ type, actor }) => [type, actor]),
      [['client.registered', { type: 'cli', user: 'root', door: 'command_line' }]],
    )
  })

  test('shows what differs, and writes that alone', async () => {
    const changed = state
      .replace('client_name: Shop', 'client_name: Shops')
      .replace('orders:read orders:write', 'orders:write photos:read')
      .replace('introspection_clients: [shop]', 'introspection_clients: []')
    const planned = await plan(changed)
    assert.equal(
      sayPlan(planned),
      [
        '~ resource orders',
        '    - introspection_clients[]: "shop"',
        '~ client shop',
        '    - client_name: "Shop"',
        '    - scope[]: "orders:read"',
        '    + client_name: "Shops"',
        '    + scope[]: "photos:read"',
      ].join('\n'),
    )
    assert.deepEqual(await apply(changed), [
      ['orders', 'done', null],
      ['shop', 'done', null],
    ])
    assert.deepEqual((await plan(changed)).changes, [])
    assert.deepEqual(await apply(state), [
      ['orders', 'done', null],
      ['shop', 'done', null],
    ])
  })

  test('writes nothing of an item that changed since it was read', async () => {
    const api = apiOf(service)
    const text = state.replace('client_name: Till', 'client_name: Tills')
    const planned = await plan(text)
    await api.ask('PATCH', 'clients/till', { client_uri: 'https://till.example' })
    const [outcome] = outcomesOf(await carryOut(api, planned))
    assert.deepEqual(outcome, [
      'till',
      'refused',
      'somebody changed it meanwhile: look at it, and run this again',
    ])
    assert.equal((await api.ask('GET', 'clients/till')).client_name, 'Till')
    await api.ask('PATCH', 'clients/till', { client_uri: null })
  })

  test('writes nothing over what it saw where the service does not compare it', async () => {
    const planned = await plan(state.replace('client_name: Till', 'client_name: Tills'))
    for (const etag of [null, 'W/"weak"', '"another"']) {
      const old = makeAdminApi(async ({ ifMatch: _, ...request }) => {
        assert.equal(request.method, 'GET')
        return { ...(await service.server().operated.operate(request, 'root')), etag }
      })
      await assert.rejects(carryOut(old, planned), /If-Match.*nothing was written/)
    }
  })

  test('is done where somebody else has deleted an item already', async () => {
    const api = apiOf(service)
    await api.ask('POST', 'groups', { name: 'Gone' })
    const { changes } = await plan('groups: []', true)
    await api.ask('DELETE', 'groups/Gone')
    const rest = { changes: changes.filter(({ id }) => id === 'Gone') }
    assert.deepEqual(outcomesOf(await carryOut(api, rest)), [['Gone', 'done', null]])
  })

  test('says that a part of an item is written where the rest is refused', async () => {
    const text = `
resources:
  - { name: half, title: Half, read: See, write: Set, uri: "https://half.example", introspection_clients: [nobody] }
`
    const [[, outcome, reason] = []] = await apply(text)
    assert.equal(outcome, 'refused')
    assert.match(String(reason), /^a part of it is written; then /)
    await apiOf(service).ask('DELETE', 'resources/half')
  })

  test('goes on with other items where one is refused, and stops where nobody answers', async () => {
    const text = `
groups: [{ name: One }, { name: Two }]
clients:
  - { client_id: bad, token_endpoint_auth_method: none, redirect_uris: ["http://bad.example"] }
`
    const planned = await plan(text)
    const { operated } = service.server()
    const ask: AskAdmin = (request) =>
      JSON.stringify(request.body).includes('Two')
        ? Promise.resolve({
            status: 503,
            body: { title: 'temporarily_unavailable', detail: 'full' },
          })
        : operated.operate(request, 'root')
    assert.deepEqual(outcomesOf(await carryOut(makeAdminApi(ask), planned)), [
      ['One', 'done', null],
      ['Two', 'refused', 'full: run this again, and it goes on'],
      ['bad', 'not tried', null],
    ])
    const carried = await apply(text)
    assert.deepEqual(carried[0], ['Two', 'done', null])
    assert.deepEqual(carried[1]?.slice(0, 2), ['bad', 'refused'])
  })

  test('prunes what an operator made, and leaves people, ways in and what came by itself', async () => {
    const api = apiOf(service)
    const { body: own } = await service.ask('/register', {
      method: 'POST',
      json: { redirect_uris: ['https://own.example/callback'], client_name: 'Own' },
    })
    await api.ask('POST', 'groups/One/members', { add: ['alice'] })
    const text = 'clients: []\ngroups: []\nresources: []\n'
    const { changes, kept } = await plan(text, true)
    const going = changes.map(({ action, id }) => `${action} ${id}`)
    assert.ok(going.every((one) => one.startsWith('delete ')))
    assert.ok(!going.includes(`delete ${own.client_id}`))
    assert.deepEqual(
      kept.map(({ id, why }) => [id, why]).filter(([id]) => id !== 'photos'),
      [
        ...['contacts', 'calendar'].map((id) => [id, 'this service keeps its items']),
        ['One', 'owners are in it: 1'],
        ['latchkey-admin', 'it may administer this service'],
      ],
    )
    // The last go first: clients name groups and resources.
    assert.deepEqual(going.slice(-3), ['delete Two', 'delete Sales', 'delete orders'])
    assert.deepEqual((await plan(text)).changes, [])
    const rest = { changes: changes.filter(({ id }) => id === 'till' || id === 'Two') }
    // Somebody joined the group while a person read the plan.
    await api.ask('POST', 'groups/Two/members', { add: ['alice'] })
    assert.deepEqual(
      outcomesOf(await carryOut(api, rest)).map((one) => one.slice(0, 2)),
      [
        ['till', 'done'],
        ['Two', 'refused'],
      ],
    )
    await assert.rejects(
      plan(`clients: [{ client_id: ${own.client_id} }]`),
      /clients\[0\] cannot be in this file: it registered itself$/,
    )
  })

  test('refuses a wrong file as a whole, with the line and what was expected', async () => {
    const faultsOf = async (text: string): Promise<string> => {
      const fault = await plan(text).then(
        () => null,
        (one: unknown) => one,
      )
      assert.ok(fault instanceof UsageFault, text)
      return fault.message.replaceAll(place, '').replaceAll(/^\/\d+\.yaml/gm, '')
    }
    const wrong = `clients:
  - client_id: shop
    redirect_uri: https://shop.example
    scope: [photos]
    client_secret: hunter2
  - client_id: shop
    allowed_groups: []
  - 7
webhooks: []
reources: []
`
    assert.equal(
      await faultsOf(wrong),
      [
        ':9: webhooks: webhooks stand in the configuration file of the service, and count from its next start on',
        ':10: reources: the keys are resources, groups, clients, issuers; did you mean resources?',
        ':4: clients[0] scope has to be names separated by spaces',
        ':2: clients[0] redirect_uri is unknown; did you mean redirect_uris?',
        ':5: clients[0] client_secret has to be { env: NAME } or { file: PATH }: no secret stands in this file',
        ':7: clients[1] allowed_groups has to be a list of 1 to 100 names of groups, or null: only owners in one of them may use it',
        ':8: clients[2] has to be an object with the members of a client',
      ].join('\n'),
    )
    const cases: readonly (readonly [string, RegExp])[] = [
      ['groups: [{ name: A }, { name: A }]', /^:1: groups\[1\] has the name of an item before it$/],
      ['groups:\n  - name: A\n    name: B', /^:3: .*unique/],
      ['{"clients": [{"client_name": "X"}]}', /^:1: clients\[0\] has to have client_id/],
      ['', /has to be an object with at least one of the keys/],
      ['clients: [', /^:1: /],
      ['groups: !!js/function x', /^:1: /],
      ['a: &a [x]\nb: [*a]\ngroups: 7', /groups has to be a list$/m],
      [`groups: ${'['.repeat(20_000)}`, /nests too deep, or has too many aliases$/],
      [bomb, /too many aliases/],
      ['clients: [{ client_id: new }]', /needs a secret: write client_secret: \{ env: NAME \}/],
      [
        'clients: [{ client_id: new, client_secret: { env: NO_SUCH } }]',
        /^the variable NO_SUCH has/,
      ],
      [
        'clients: [{ client_id: new, client_secret: { file: /etc/hostname } }]',
        /^the file .* 32 to 200/,
      ],
      ['clients: [{ client_id: new, client_secret: { env: A, file: b } }]', /no secret stands/],
      [
        'clients:\n  - client_id: new\n    token_endpoint_auth_method: foo',
        /^:3: clients\[0\] token_endpoint_auth_method has to be one of client_secret_basic, /,
      ],
      [
        'clients:\n  - client_id: shop\n    token_endpoint_auth_method: foo',
        /^:3: clients\[0\] token_endpoint_auth_method has to be one of client_secret_basic, /,
      ],
      [
        'clients:\n  - client_id: shop\n    scope: orders:read owners:write',
        /^:3: clients\[0\] gets owners:write, .* latchkey client change shop --scope$/,
      ],
      [
        'clients: [{ client_id: new, scope: owners:write, client_secret: { file: secret } }]',
        /^:1: clients\[0\] is new, .* latchkey client add, which shows its secret$/,
      ],
      ['groups:\n  - name: *hunter2', /^:2: an alias has to name an anchor before it$/],
      ['groups:\n  - name: !hunter2 x', /^:2: a tag \(!\) means nothing in this file$/],
      ['? [a]\n: 1', /^:1: a key has to be text$/],
      [`x: ${'y'.repeat(1024 * 1024)}`, /has to be a file of at most 1048576 bytes$/],
      // The parser would compare each key with each other one.
      [Array.from({ length: 50_000 }, (_, i) => `k${i}: 1`).join('\n'), /^(:.*\n){49}:50: .*$/],
      [
        'clients: [{ client_id: new, token_endpoint_auth_method: none, client_secret: { file: secret } }]',
        /has a client_secret that its method does not need$/,
      ],
    ]
    for (const [text, expected] of cases)
      assert.match(await faultsOf(text), expected, text.slice(0, 80))
    assert.ok(!(await faultsOf(wrong)).includes('hunter2'))
    for (const path of [join(place, 'nowhere.yaml'), place]) {
      await assert.rejects(readApplyFile(path), (fault: unknown) => {
        assert.ok(fault instanceof UsageFault)
        assert.match(fault.message, /has to be a file/)
        return fault.message.startsWith(path)
      })
    }
  })
})

const bomb = [
  'a0: &a0 [x, x, x, x, x, x, x, x, x, x]',
  ...Array.from({ length: 8 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}*a${i}]`),
  'groups: []',
].join('\n')

describe('latchkey export --apply', () => {
  test('writes a file without differences, and another service becomes the same by it', async () => {
    const written = await writeState(apiOf(service))
    assert.match(
      written,
      /\n {4}# Only a new client needs it\.\n {4}client_secret: \{ env: SECRET_SHOP \}\n/,
    )
    assert.deepEqual(await plan(written, true), { changes: [], kept: [] })
    assert.ok(!written.includes('Own'))
    const elsewhere = written.replaceAll(/\{ env: \w+ \}/g, '{ file: secret }')
    const carried = await apply(elsewhere, true, other)
    assert.ok(
      carried.every(([, outcome, reason]) => outcome === 'done' && reason === null),
      String(carried),
    )
    assert.equal(await writeState(apiOf(other)), written)
    const row = {
      client_id: 'own-method',
      registered_by: 'operator',
      token_endpoint_auth_method: 'x',
    }
    const odd = makeAdminApi(async ({ path }) => ({
      status: 200,
      body: { items: path.startsWith('clients') ? [row] : [] },
    }))
    assert.match(await writeState(odd), /token_endpoint_auth_method: "x"/)
  })
})
