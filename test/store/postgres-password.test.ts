/** A PostgreSQL that asks for a password, and a URL without one. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { prepareDatabase } from '../../src/store/engines/postgres/start.ts'

/** A message of the server about authentication: its kind, then what belongs to it. */
const authentication = (kind: number, text: string): Buffer => {
  const head = Buffer.from('R\0\0\0\0\0\0\0\0', 'latin1')
  head.writeInt32BE(8 + text.length, 1)
  head.writeInt32BE(kind, 5)
  return Buffer.concat([head, Buffer.from(text, 'latin1')])
}

/** Asks for SCRAM-SHA-256, as PostgreSQL does by default. */
const askForPassword = (socket: Socket): void => {
  socket
    .on('error', () => {})
    .on('data', (bytes) => {
      const [, nonce] = /r=(\S+)/.exec(bytes.toString('latin1')) ?? []
      socket.write(
        nonce === undefined
          ? authentication(10, 'SCRAM-SHA-256\0\0')
          : authentication(11, `r=${nonce}server,s=c2FsdA==,i=4096`),
      )
    })
}

test('a database that asks for a password is not told as one that is away', async (t) => {
  const server = createServer(askForPassword).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const password = process.env.PGPASSWORD
  delete process.env.PGPASSWORD
  t.after(() => {
    if (password !== undefined) process.env.PGPASSWORD = password
  })
  await assert.rejects(
    prepareDatabase(`postgres://latchkey@127.0.0.1:${port}/back`),
    new RegExp(
      `the database back at 127.0.0.1:${port} asks for a password: put it into PGPASSWORD, or into the URL in LATCHKEY_STORE`,
    ),
  )
})
