/**
 * The control socket of an embedded store: how commands reach the service that holds the database file.
 * The socket lies beside that file, for its user alone (mode 0600). One connection carries one question and its
 * answer.
 */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { cliLimits } from './limits.ts'

/** A database has one socket, also when it is opened through links. */
const getSocketPath = (database: string): string => `${realpathSync(database)}.sock`

/**
 * Calls with a short path. The address of a socket has little room, so a long path gets a link in a
 * private folder during the call.
 */
const useShortName = async <Result>(
  path: string,
  work: (path: string) => Promise<Result>,
): Promise<Result> => {
  if (Buffer.byteLength(path) <= cliLimits.socketPathBytes) return work(path)
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-'))
  try {
    const link = join(folder, 'l')
    symlinkSync(path, link)
    return await work(link)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Answers the question that comes in; `end` stands behind it. */
const serve = (socket: Socket, answer: (question: string) => Promise<string>): void => {
  let question = ''
  const close = (): void => void socket.destroy()
  socket.on('error', close).setTimeout(cliLimits.commandSeconds * 1000, close)
  socket.setEncoding('utf8').on('data', (piece) => {
    question += piece
    if (question.length > cliLimits.commandCharacters) close()
  })
  socket.once('end', () => {
    answer(question).then((text) => socket.end(text), close)
  })
}

/**
 * Answers questions at the socket of a database that this process holds. What a killed service left
 * there is replaced.
 *
 * @returns what ends it
 */
export const listenBeside = async (
  database: string,
  answer: (question: string) => Promise<string>,
): Promise<() => void> => {
  const path = getSocketPath(database)
  // Nobody else reaches the socket in this folder before it is for its user alone.
  const folder = `${path}.new`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  // The answer follows after whoever asks has said all.
  const server = createServer({ allowHalfOpen: true }, (socket) => serve(socket, answer))
  try {
    await useShortName(folder, (short) => {
      const listening = Promise.withResolvers<void>()
      server.once('error', listening.reject)
      server.listen(join(short, 's'), listening.resolve)
      return listening.promise
    })
    chmodSync(join(folder, 's'), 0o600)
    renameSync(join(folder, 's'), path)
  } catch (fault) {
    server.close()
    throw fault
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  // Accepting connections goes wrong one by one, such as where there are too many open files.
  server.on('error', () => {})
  server.unref()
  return () => {
    rmSync(path, { force: true })
    server.close()
  }
}

/**
 * Asks whoever answers at the socket of a database.
 *
 * @returns null where nobody does
 */
export const askBeside = async (database: string, question: string): Promise<string | null> => {
  try {
    const path = getSocketPath(database)
    // Somebody else's socket might be there to hear a password.
    if (statSync(path).uid !== statSync(database).uid) {
      throw new Error(`the socket ${path} belongs to another user than the database`)
    }
    return await useShortName(path, async (short) => {
      const socket = createConnection({ path: short, allowHalfOpen: true })
      socket.end(question)
      return await text(socket)
    })
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? fault.code : null
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return null
    throw fault
  }
}
