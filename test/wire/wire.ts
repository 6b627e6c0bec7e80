/** The service on a real port, and a socket to write anything to it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { loadSettings } from '../../src/config/load.ts'
import type { Notice } from '../../src/model/notice.ts'
import { type ServerOptions, startService } from '../../src/server.ts'
import { memoryOr } from '../support/memory.ts'

export interface Wired {
  readonly port: number
  readonly issuer: string
  readonly notices: readonly Notice[]
  /** Writes bytes, answers all that came back until the server closed or `until` is seen. */
  say(bytes: string | Buffer, until?: RegExp): Promise<string>
  close(): Promise<void>
}

export const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.once('error', reject)
  })

/** Everything that comes until the server closes, or until a pattern is seen. */
export const hear = (socket: Socket, until?: RegExp): Promise<string> =>
  new Promise((resolve) => {
    let heard = ''
    const end = (): void => {
      socket.destroy()
      resolve(heard)
    }
    socket.on('data', (piece) => {
      heard += piece.toString('latin1')
      if (until?.test(heard)) end()
    })
    socket.on('close', end)
    socket.on('error', end)
  })

export const wire = async (options: Pick<ServerOptions, 'grants'> = {}): Promise<Wired> => {
  const folder = await mkdtemp(join(memoryOr(), 'latchkey-'))
  const env = { PORT: '0', LATCHKEY_STORE: `sqlite:${join(folder, 'latchkey.db')}` }
  const notices: Notice[] = []
  const service = await startService({
    settings: loadSettings({ env, flags: {}, cwd: folder }),
    tell: (notice) => notices.push(notice),
    ...options,
  })
  const port = Number(new URL(service.issuer).port)
  return {
    port,
    issuer: service.issuer,
    notices,
    async say(bytes, until) {
      const socket = await open(port)
      const heard = hear(socket, until)
      socket.write(bytes)
      return heard
    },
    async close() {
      await service.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A whole form request as it goes over the wire, closing the connection after it. */
export const formRequest = (path: string, body: string, headers: readonly string[] = []): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...headers,
    '',
    body,
  ].join('\r\n')

export const statusOf = (heard: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1])

export const bodyOf = (heard: string): string => heard.slice(heard.indexOf('\r\n\r\n') + 4)
