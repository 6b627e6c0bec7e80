/** The tools: each owner has notes. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'

const notes = new Map<string, readonly string[]>()

/** The tools as one owner sees them. */
export const createNotes = (owner: string): McpServer => {
  const list = () => ({
    content: (notes.get(owner) ?? []).map((text) => ({ type: 'text' as const, text })),
  })
  const server = new McpServer({ name: 'notes', version: '1.0.0' })
  server.registerTool('list_notes', { description: 'Lists your notes' }, list)
  server.registerTool(
    'add_note',
    { description: 'Adds a note', inputSchema: { text: z.string() } },
    ({ text }) => {
      notes.set(owner, [...(notes.get(owner) ?? []), text])
      return list()
    },
  )
  return server
}
