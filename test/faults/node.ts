/** A node in this process, with the test's own store and clock. */
import { createHash } from 'node:crypto'
import { loadSettings } from '../../src/config/load.ts'
import type { Settings } from '../../src/config/settings.ts'
import { verifyImported } from '../../src/crypto/hashes.ts'
import type { Hashing } from '../../src/crypto/password.ts'
import { getHashKind } from '../../src/crypto/phc.ts'
import type { Notice } from '../../src/model/notice.ts'
import { createServer, type Server, type ServerOptions } from '../../src/server.ts'
import type { Reachable } from '../support/browser.ts'
import { toldAnswer } from '../support/reference.ts'
import { type Answer, basic, type Init, requestOf } from '../support/start.ts'

export interface Node extends Reachable {
  readonly server: Server
  readonly notices: readonly Notice[]
}

export const rootSecret = 'a root secret that the nodes of a test have in common'

/** The demo's settings, with no file and no environment. */
export const settings: Settings = {
  ...loadSettings({ env: {}, flags: {}, cwd: '/nowhere' }),
  secret: rootSecret,
}

const quickHash = (password: string): string => createHash('sha256').update(password).digest('hex')

/** A cheap hash in place of argon2, since these tests are about faults of the store. */
const quickPasswords: Hashing = {
  hash: async (password) => quickHash(password),
  verify: async (stored, password) =>
    getHashKind(stored ?? '') === ''
      ? stored === quickHash(password)
      : verifyImported(stored ?? '', password),
}

/** Asks a server in this process; the peer is whatever address `peer` says. */
const reachServer = (server: () => Server, peer: () => string): Reachable => {
  const ask = async (path: string, init: Init = {}): Promise<Answer> => {
    const url = path.startsWith('http') ? path : settings.issuer + path
    const response = await server().fetch(requestOf(url, init), peer())
    return toldAnswer(response, await response.text())
  }
  return {
    issuer: settings.issuer,
    ask,
    post: (path, form, client) =>
      ask(path, { form, headers: client === undefined ? {} : { authorization: basic(client) } }),
  }
}

/** @param peer the address that requests come from; limits count by it */
export const openNode = async (
  options: Pick<ServerOptions, 'store' | 'clock'> & Partial<ServerOptions>,
  peer: () => string = () => '127.0.0.1',
): Promise<Node> => {
  const notices: Notice[] = []
  const server = await createServer({
    settings,
    passwords: quickPasswords,
    tell: (notice) => notices.push(notice),
    ...options,
  })
  return { ...reachServer(() => server, peer), server, notices }
}
