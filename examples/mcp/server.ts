/** The MCP endpoint. `/mcp` takes only tokens that the owner of the notes allowed. */
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { ExpressRequest, ProtectOptions } from '../../src/resource/express.ts'
import { protect } from '../../src/resource/express.ts'
import { createNotes } from './notes.ts'

interface Message {
  readonly params?: { readonly name?: string }
}

/** A body may hold several messages. */
const listTools = (body: unknown): readonly string[] =>
  [body as Message | readonly Message[] | undefined]
    .flat()
    .flatMap((message) => message?.params?.name ?? [])

/** Names of tools, those that write first. A client may send any other text as a name. */
const tools = ['add_note', 'list_notes']

/** What the owner reads in the access log of the client. */
const target = ({ body }: ExpressRequest): string => {
  const called = listTools(body)
  return tools.filter((name) => called.includes(name)).join(', ')
}

export const createApp = (options: ProtectOptions) => {
  const app = createMcpExpressApp()
  // What a client asks for at first. Adding a note asks for more.
  const guard = protect({ scopesSupported: ['notes:read'], ...options })
  const mayRead = guard('notes:read', { target })
  const mayWrite = guard(['notes:read', 'notes:write'], { target })
  app.get(guard.metadataPath, guard.metadata)
  app.post('/mcp', (req, res, next) => {
    const check = listTools(req.body).includes('add_note') ? mayWrite : mayRead
    return check(req, res, next)
  })
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
