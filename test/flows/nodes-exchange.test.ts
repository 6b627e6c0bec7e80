/** Two nodes on one PostgreSQL: a token is exchanged on one, and its chain is changed on the other. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findPostgres, type Postgres } from '../store/postgres.ts'
import { answerOf } from '../support/browser.ts'
import { helper, photoPrinter } from '../support/demo-clients.ts'
import { addHelpers, exchange, exchanged, letAct } from '../support/exchange.ts'
import { newVisitor } from '../support/people.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { type Started, start } from '../support/start.ts'
import { type Credentials, redeem, refresh, use } from '../support/tokens.ts'
import { bearer, operatorOf } from './operator.ts'

/** An owner, the login, and the tokens of a chain: of the application, the helper and a second actor. */
interface Grown {
  readonly ownerId: string
  readonly first: { readonly access_token: string; readonly refresh_token: string }
  readonly tokens: readonly string[]
}

/** A change of the chain on one node. Then follows all that the other node allows, on its next requests. */
interface Change {
  readonly left: readonly string[]
  readonly exchange: readonly [status: number, error: string]
  apply(node: Started, grown: Grown): Promise<unknown>
}

const [both, gone, reads] = ['200 201', '401 401', '200 403']
const dead = [400, 'invalid_request'] as const

/** The authorization of a client for the owner. */
const findPath = async (node: Started, { ownerId }: Grown, client: string): Promise<string> => {
  const query = `authorizations?owner=${ownerId}&client=${client}`
  const { body } = await (await operatorOf(node))('GET', query)
  assert.equal(body.items.length, 1)
  return `authorizations/${body.items[0].id}`
}

const change =
  (client: string, method: string, json?: object) =>
  async (node: Started, grown: Grown): Promise<void> => {
    const path = await findPath(node, grown, client)
    const { status, text } = await (await operatorOf(node))(method, path, json)
    assert.ok(status === 200 || status === 204, text)
  }

const revoke =
  (pick: (grown: Grown) => string) =>
  async (node: Started, grown: Grown): Promise<void> => {
    const { status } = await node.post('/revoke', { token: pick(grown) }, photoPrinter)
    assert.equal(status, 200)
  }

const changes: Readonly<Record<string, Change>> = {
  'narrows the application': {
    apply: change('photo-printer', 'PATCH', { scope: 'photos:read' }),
    left: [reads, reads, reads],
    exchange: [400, 'invalid_scope'],
  },
  'pauses the application': {
    apply: change('photo-printer', 'PATCH', { paused: true }),
    left: [gone, gone, gone],
    exchange: dead,
  },
  'ends the application': {
    apply: change('photo-printer', 'DELETE'),
    left: [gone, gone, gone],
    exchange: dead,
  },
  'revokes the subject token': {
    apply: revoke(({ first }) => first.access_token),
    left: [gone, gone, gone],
    exchange: dead,
  },
  'revokes its family': {
    apply: revoke(({ first }) => first.refresh_token),
    left: [gone, gone, gone],
    exchange: dead,
  },
  'disables the owner': {
    apply: async (node, { ownerId }) => {
      const operator = await operatorOf(node)
      const { status } = await operator('PATCH', `owners/${ownerId}`, { disabled: true })
      assert.equal(status, 200)
    },
    left: [gone, gone, gone],
    exchange: dead,
  },
  'narrows the branch in the middle': {
    apply: change('helper', 'PATCH', { scope: 'photos:read' }),
    left: [both, reads, reads],
    exchange: [400, 'invalid_grant'],
  },
  'pauses the branch in the middle': {
    apply: change('helper', 'PATCH', { paused: true }),
    left: [both, gone, gone],
    exchange: [503, 'temporarily_unavailable'],
  },
  'ends the branch in the middle': {
    apply: change('helper', 'DELETE'),
    left: [both, gone, gone],
    exchange: [400, 'invalid_grant'],
  },
}

const testExchange = (postgres: Postgres): void => {
  let nodes: readonly [Started, Started]
  let second: Credentials
  before(async () => {
    const store = await postgres.newDatabase()
    const node = () => start({ store, secret: 'a-root-secret-that-both-nodes-share' })
    const one = await node()
    nodes = [one, await node()]
    const operator = await operatorOf(one)
    await letAct(operator, 'photo-printer', ['helper'])
    const [added] = await addHelpers(operator, 1)
    second = added ?? assert.fail()
  })
  after(() => Promise.all(nodes.map((node) => node.close())))

  /** Each exchange goes to the other node than the last. */
  const grow = async ([one, other]: readonly [Started, Started]): Promise<Grown> => {
    const { browser, id } = await newVisitor(one)
    const page = await browser.go(authorizePath({ ...codeRequest, scope: 'photos' }))
    const { code = '' } = answerOf(await browser.submit(page, { decision: 'allow' }))
    const first = (await redeem(other, code)).body
    const token = await exchanged(one, first.access_token)
    const tokens = [first.access_token, token, await exchanged(other, token, second)]
    return { ownerId: id, first, tokens }
  }

  /** Whether each token reads, and whether it may write. */
  const reachOf = (node: Started, { tokens }: Grown): Promise<readonly string[]> =>
    Promise.all(
      tokens.map(async (token) => {
        const json = { title: 'New' }
        const written = { ...bearer(token), method: 'POST', json }
        const [read, { status }] = [await use(node, token), await node.ask('/api/photos', written)]
        return `${read} ${status}`
      }),
    )

  for (const [name, { apply, left, exchange: refused }] of Object.entries(changes)) {
    test(`what one node ${name}, the other refuses on the next request`, async () => {
      const [one, other] = nodes
      for (const pair of [[one, other] as const, [other, one] as const]) {
        const grown = await grow(pair)
        const [here, there] = pair
        // A second use of each comes from the cache of its node.
        for (const node of [...pair, ...pair]) {
          assert.deepEqual(await reachOf(node, grown), [both, both, both])
        }
        await apply(here, grown)
        assert.deepEqual(await reachOf(there, grown), left)
        assert.deepEqual(await reachOf(here, grown), left)
        const scope = { scope: 'photos:write' }
        const again = await exchange(there, grown.tokens[0] ?? '', helper, scope)
        assert.deepEqual([again.status, again.body.error], refused)
      }
    })
  }

  test('a resumed application works again on both, with its branches', async () => {
    const grown = await grow(nodes)
    const [one, other] = nodes
    await change('photo-printer', 'PATCH', { paused: true })(one, grown)
    assert.deepEqual(await reachOf(other, grown), [gone, gone, gone])
    await change('photo-printer', 'PATCH', { paused: false })(other, grown)
    assert.deepEqual(await reachOf(one, grown), [both, both, both])
  })

  test('of exchanges on both nodes at once, each is answered, under one branch', async () => {
    const grown = await grow(nodes)
    const [token = ''] = grown.tokens
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => exchange(nodes[i % 2 === 0 ? 0 : 1], token)),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    )
    const tokens = answers.map(({ body }) => body.access_token)
    await change('helper', 'DELETE')(nodes[0], grown)
    const after = await reachOf(nodes[1], { ...grown, tokens })
    assert.deepEqual(
      after,
      tokens.map(() => gone),
    )
  })

  test('a refresh on one node leaves the old subject token, and its branch, as they are', async () => {
    const grown = await grow(nodes)
    const [one, other] = nodes
    assert.equal((await refresh(one, grown.first.refresh_token)).status, 200)
    assert.deepEqual(await reachOf(other, grown), [both, both, both])
  })
}

const postgres = await findPostgres()
if (postgres === null) {
  test('no PostgreSQL here (LATCHKEY_TEST_POSTGRES names one): nodes are left out')
} else {
  after(() => postgres.stop())
  describe('two nodes', () => testExchange(postgres))
}
