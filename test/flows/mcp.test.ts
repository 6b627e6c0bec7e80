/** The example MCP server and the client of the official SDK, from discovery to revocation. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { blocksOf } from '../shape/blocks.ts'
import { program } from '../shape/made-program.ts'
import { shellEnvironment } from '../shape/process.ts'
import { root } from '../shape/source.ts'
import { run } from '../shape/tool.ts'
import { selfSigned } from '../support/certificate.ts'
import { goodDocument } from '../support/document-site.ts'
import { createMcpClient, type McpClient, type StartedMcp, startMcp } from '../support/mcp.ts'
import { memoryOr } from '../support/memory.ts'
import { openSite } from '../support/site.ts'

const certificate = selfSigned(['127.0.0.1'])
setDefaultCACertificates([certificate.cert])

let mcp: StartedMcp
before(async () => {
  mcp = await startMcp()
})
after(() => mcp.close())

const add = (client: Client, text: string) =>
  client.callTool({ name: 'add_note', arguments: { text } })

/** The parameters of the last authorization request, without those that are random. */
const lastAsked = ({ kept }: McpClient): Readonly<Record<string, string>> => {
  const asked = Object.fromEntries(kept.asked.at(-1)?.searchParams ?? [])
  const { client_id, code_challenge, redirect_uri, ...rest } = asked
  return rest
}

const requestOf = (scope: string) => ({
  response_type: 'code',
  code_challenge_method: 'S256',
  state: 'xyz',
  scope,
  resource: mcp.url,
})

/** Consent, a call, step-up, refresh and revocation. */
const walkAll = async (helper: McpClient, note: string): Promise<void> => {
  await assert.rejects(helper.connect(), UnauthorizedError)
  assert.deepEqual(lastAsked(helper), requestOf('notes:read'))
  await helper.approve()
  assert.equal(helper.kept.tokens?.scope, 'notes:read')
  const client = await helper.connect()
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['list_notes', 'add_note'],
  )

  // Adding a note needs more than was allowed. The SDK refreshes, which cannot widen the scope.
  await assert.rejects(add(client, note), /Server returned 403 after trying upscoping/)
  delete helper.kept.tokens?.refresh_token
  await assert.rejects(add(await helper.connect(), note), UnauthorizedError)
  assert.deepEqual(lastAsked(helper), requestOf('notes:read notes:write'))
  await helper.approve()
  const further = await helper.connect()
  const { content } = await add(further, note)
  assert.deepEqual((content as readonly unknown[]).at(-1), { type: 'text', text: note })

  // The access token ends: the client refreshes it without its person.
  const first = helper.kept.tokens
  const questions = helper.kept.asked.length
  await mcp.service.advance(3601)
  await further.callTool({ name: 'list_notes' })
  assert.notEqual(helper.kept.tokens?.access_token, first?.access_token)
  assert.notEqual(helper.kept.tokens?.refresh_token, first?.refresh_token)
  assert.equal(helper.kept.asked.length, questions)

  // Revoked: the next call is refused, the refresh too, and the client asks its person again.
  const { body } = await mcp.service.ask('/.well-known/oauth-authorization-server')
  const revoked = await mcp.service.post(body.revocation_endpoint, {
    token: helper.kept.tokens?.refresh_token ?? '',
    client_id: helper.kept.client?.client_id ?? '',
  })
  assert.equal(revoked.status, 200)
  await assert.rejects(further.callTool({ name: 'list_notes' }), UnauthorizedError)
  assert.equal(helper.kept.asked.length, questions + 1)
  assert.equal(helper.kept.tokens, undefined)
}

test('a client that registers itself', async () => {
  const helper = createMcpClient(mcp)
  await walkAll(helper, 'Feed the cat')
  assert.match(helper.kept.client?.client_id ?? '', /^[\w-]+$/)
  // The owner sees which tools were called.
  const { store } = mcp.service.server()
  const now = mcp.service.now()
  const { id: ownerId } = (await store.findOwnerByName('alice')) ?? assert.fail()
  const { rows } = await store.listAuthorizations({ ownerId }, null, 10, now)
  const uses = rows.map(({ id }) =>
    store.listUses({ authorizationId: id, ownerId }, 1, null, 50, now),
  )
  const told = (await Promise.all(uses)).flatMap((page) => page.rows.map(({ target }) => target))
  assert.ok(told.includes('add_note'))
})

test('a client with a metadata document', async () => {
  const site = await openSite(
    ({ url = '' }, response) => {
      const body = JSON.stringify(goodDocument(`https://127.0.0.1:${site.port}${url}`))
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(body)
    },
    { certificate },
  )
  const id = `https://127.0.0.1:${site.port}/client.json`
  after(() => site.close())
  const helper = createMcpClient(mcp, id)
  await walkAll(helper, 'Water the roses')
  assert.equal(helper.kept.client?.client_id, id)
})

test('several messages in one body need what each of them needs', async () => {
  const helper = createMcpClient(mcp)
  await assert.rejects(helper.connect(), UnauthorizedError)
  await helper.approve()
  const message = (id: number, name: string) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: { text: 'smuggled' } },
  })
  const sent = await mcp.send(mcp.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${helper.kept.tokens?.access_token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify([message(1, 'list_notes'), message(2, 'add_note')]),
  })
  assert.equal(sent.status, 403)
})

test('the documentation shows the files that run here', async () => {
  const page = await readFile(new URL('../../docs/mcp.md', import.meta.url), 'utf8')
  for (const name of ['server.ts', 'notes.ts']) {
    const file = await readFile(new URL(`../../examples/mcp/${name}`, import.meta.url), 'utf8')
    const outside = file.replaceAll('../../src/', 'latchkey/').replaceAll('express.ts', 'express')
    assert.ok(page.includes(`\`\`\`ts ${name}\n${outside}\`\`\``), name)
  }
})

test('the commands of the documentation declare the server, and print its secret', async () => {
  const place = await mkdtemp(join(memoryOr(), 'latchkey-mcp-'))
  after(() => rm(place, { recursive: true }))
  const page = await readFile(join(root, 'docs/mcp.md'), 'utf8')
  const commands = blocksOf('docs/mcp.md', page).find(({ text }) => /^latchkey/.test(text))?.text
  const latchkey = `latchkey() { "${process.execPath}" "${program}" "$@"; }`
  const store = { LATCHKEY_STORE: `sqlite:${join(place, 'latchkey.db')}`, LATCHKEY_DEMO: '0' }
  const shown = 'latchkey resource show notes'
  const { code, output } = await run('sh', ['-ec', `${latchkey}\n${commands}\n${shown}`], {
    cwd: place,
    env: shellEnvironment(place, store),
  })
  assert.equal(code, 0, output)
  assert.match(output, /lk_cs_/)
  assert.match(output, /https:\/\/notes\.example\.com\/mcp/)
  assert.match(output, /introspection_clients.*notes-api/s)
})
