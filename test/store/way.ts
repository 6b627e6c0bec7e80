/** A way to PostgreSQL for tests: it can be cut, and the disk behind it can be full. */
import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

type Cut = 'before' | 'after' | 'never' | 'malformed'

/** A row description of 32,767 columns in eight bytes. */
export const malformed = Buffer.from([0x54, 0, 0, 0, 8, 0x7f, 0xff, 0, 0])

const message = (type: string, body: string): Buffer => {
  const size = Buffer.alloc(4)
  size.writeInt32BE(4 + body.length)
  return Buffer.concat([Buffer.from(type), size, Buffer.from(body)])
}

const diskFull = message('E', 'SERROR\0C53100\0Mthe disk is full\0\0')
const readyAgain = message('Z', 'I')

/** Whole messages of a client, or null where the last one goes on in the next piece. */
const messagesIn = (piece: Buffer): readonly Buffer[] | null => {
  const messages: Buffer[] = []
  for (let at = 0; at < piece.length; ) {
    const end =
      piece.length < at + 5 ? Number.POSITIVE_INFINITY : at + 1 + piece.readInt32BE(at + 1)
    if (end > piece.length) return null
    messages.push(piece.subarray(at, end))
    at = end
  }
  return messages
}

/** The texts of statements by the names under which they are prepared: later messages have the name alone. */
const texts = new Map<string, string>()

const noteTexts = (piece: Buffer): void => {
  const found = piece.toString('latin1').matchAll(/P[\s\S]{4}(s\d+)\0([^\0]*)\0/g)
  for (const [, name = '', text = ''] of found) texts.set(name, text)
}

const isAbout = (message: Buffer, words: RegExp): boolean => {
  const type = String.fromCharCode(message[0] ?? 0)
  const [, name = ''] = message.subarray(5).toString('latin1').split('\0')
  return type === 'B' && words.test(texts.get(name) ?? '')
}

/** An error for everything that the server answers: simple queries, and the ends of others. */
const refuseAll = (messages: readonly Buffer[]): Buffer =>
  Buffer.concat(
    messages
      .filter((message) => 'QS'.includes(String.fromCharCode(message[0] ?? 0)))
      .flatMap(() => [diskFull, readyAgain]),
  )

/**
 * A proxy before the database that cuts the connection at a message with `word`. It cuts before the
 * message arrives, or before its answer does. Cut `never`, it stays open and lets nothing through
 * any more. Cut `malformed`, a message that nobody can read comes before the answer.
 *
 * While it is full for some words, messages with one of them do not arrive, and are answered by an error.
 */
export const openWay = async (t: TestContext, url: string) => {
  const target = new URL(url)
  const port = Number(target.port)
  let armed: { readonly word: string; readonly cut: Cut; readonly tell: () => void } | null = null
  let isHole = false
  let full: RegExp | null = null
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = dial(port, target.hostname)
    /** The end of an answer after which the connection is cut. */
    let cutAfter: string | null = null
    let said = ''
    /** What came of a piece while it is full. */
    let waiting = Buffer.alloc(0)
    const end = (): void => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', end)
    }
    near.on('data', (piece: Buffer) => {
      const cut = armed !== null && piece.includes(armed.word) ? armed.cut : null
      if (cut !== null) {
        armed?.tell()
        armed = null
      }
      if (cut === 'never') isHole = true
      if (isHole) return
      noteTexts(piece)
      if (full !== null) {
        waiting = Buffer.concat([waiting, piece])
        const messages = messagesIn(waiting)
        if (messages === null) return
        const words = full
        const isFull = messages.some((message) => isAbout(message, words))
        if (isFull) near.write(refuseAll(messages))
        else far.write(waiting)
        waiting = Buffer.alloc(0)
        return
      }
      if (cut === 'before') return end()
      if (cut === 'malformed') near.write(malformed)
      if (cut === 'after') cutAfter = piece.includes('commit') ? 'COMMIT' : ''
      far.write(piece)
    })
    far.on('data', (piece) => {
      if (cutAfter === null) {
        if (!isHole) near.write(piece)
        return
      }
      // A commit may follow statements in one piece, whose answers come first.
      said += piece.toString('latin1')
      if (said.includes(cutAfter)) end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  target.port = String(typeof address === 'object' && address !== null ? address.port : 0)
  return {
    url: target.href,
    /** Resolves when it has happened. */
    cutAt: (word: string, cut: Cut): Promise<void> =>
      new Promise((tell) => {
        armed = { word, cut, tell }
      }),
    fill: (words: RegExp): void => {
      full = words
    },
    heal: (): void => {
      isHole = false
      full = null
    },
  }
}
