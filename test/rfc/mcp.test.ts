/** MCP authorization 2026-07-28, by requirement: AS of the authorization server, RS of the MCP server. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type StartedMcp, startMcp } from '../support/mcp.ts'

let mcp: StartedMcp
before(async () => {
  mcp = await startMcp()
})
after(() => mcp.close())

const metadata = async () => (await mcp.service.ask('/.well-known/oauth-authorization-server')).body

test('AS2, AS3: metadata at both well-known paths name the issuer', async () => {
  for (const name of ['oauth-authorization-server', 'openid-configuration']) {
    const { status, body } = await mcp.service.ask(`/.well-known/${name}`)
    assert.deepEqual([status, body.issuer], [200, mcp.service.issuer])
  }
})

test('AS4: metadata name S256', async () => {
  assert.ok((await metadata()).code_challenge_methods_supported.includes('S256'))
})

test('AS6: metadata announce iss', async () => {
  assert.equal((await metadata()).authorization_response_iss_parameter_supported, true)
})

test('AS7: metadata announce client ID metadata documents', async () => {
  assert.equal((await metadata()).client_id_metadata_document_supported, true)
})

test('RS1, RS9: the metadata of the resource', async () => {
  const path = new URL(mcp.url).pathname
  const where = new URL(`/.well-known/oauth-protected-resource${path}`, mcp.url)
  assert.deepEqual(await (await mcp.send(where)).json(), {
    resource: mcp.url,
    authorization_servers: [mcp.service.issuer],
    scopes_supported: ['notes:read', 'notes:write'],
    bearer_methods_supported: ['header'],
  })
})

test('RS2, RS3: the challenge names the metadata and the scope', async () => {
  const { status, headers } = await mcp.send(mcp.url, { method: 'POST' })
  const challenge = headers.get('www-authenticate') ?? ''
  assert.equal(status, 401)
  assert.match(challenge, /scope="notes:read", resource_metadata="http:.*oauth-protected-resource/)
})

test('RS11: a token in the query counts as none', async () => {
  const { status } = await mcp.send(`${mcp.url}?access_token=x`, { method: 'POST' })
  assert.equal(status, 401)
})
