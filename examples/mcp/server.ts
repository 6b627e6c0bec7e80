/** The MCP endpoint. `/mcp` takes only tokens that the owner of the notes allowed. */
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { ProtectOptions } from '../../src/resource/express.ts'
import { protect } from '../../src/resource/express.ts'
import { createNotes } from './notes.ts'

/** A body may hold several messages: one that writes is enough. */
const writes = (body?: { params?: { name?: string } }): boolean =>
  [body].flat().some((message) => message?.params?.name === 'add_note')

export const createApp = (options: ProtectOptions) => {
  const app = createMcpExpressApp()
  // What a client asks for at first. Adding a note asks for more.
  const guard = protect({ scopesSupported: ['notes:read'], ...options })
  const mayRead = guard('notes:read')
  const mayWrite = guard(['notes:read', 'notes:write'])
  app.get(guard.metadataPath, guard.metadata)
  app.post('/mcp', (req, res, next) => (writes(req.body) ? mayWrite : mayRead)(req, res, next))
  app.post('/mcp', async (req, res) => {
    const server = createNotes(req.access?.subject ?? '')
    const transport = new StreamableHTTPServerTransport()
    res.on('close', () => server.close())
    await server.connect(transport)
    await transport.handleRequest(req, res, req.body)
  })
  // The tools answer at once, so there is no stream to open and no session to end.
  app.all('/mcp', mayRead, (_, res) => res.set('Allow', 'POST').sendStatus(405))
  return app
}
