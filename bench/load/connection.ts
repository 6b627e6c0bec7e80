/** One keep-alive connection of the load generator: writes requests, hears whole answers. */
import { connect as open, type Socket } from 'node:net'

export interface Answer {
  readonly status: number
  /** Status line and headers. */
  readonly head: string
  readonly body: string
}

export interface Connection {
  send(request: string): void
  close(): void
}

/** The body of an answer in chunks (RFC 9112 section 7.1), or null while some are missing. */
const joinChunks = (text: string, from: number): { body: string; end: number } | null => {
  let body = ''
  for (let at = from; ; ) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const size = Number.parseInt(text.slice(at, lineEnd), 16)
    const chunkEnd = lineEnd + 2 + size
    if (text.length < chunkEnd + 2) return null
    if (size === 0) return { body, end: chunkEnd + 2 }
    body += text.slice(lineEnd + 2, chunkEnd)
    at = chunkEnd + 2
  }
}

const lengthHeader = /\r\ncontent-length: *(\d+)/i
const chunkedHeader = /\r\ntransfer-encoding: *chunked/i

/** The first answer in what has come so far, and where it ends; null while it is not whole. */
const readAnswer = (text: string): { answer: Answer; end: number } | null => {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const head = text.slice(0, headEnd)
  const status = Number(head.slice(9, 12))
  const from = headEnd + 4
  const length = lengthHeader.exec(head)?.[1]
  if (length === undefined && chunkedHeader.test(head)) {
    const joined = joinChunks(text, from)
    return joined && { answer: { status, head, body: joined.body }, end: joined.end }
  }
  const end = from + Number(length ?? 0)
  if (text.length < end) return null
  return { answer: { status, head, body: text.slice(from, end) }, end }
}

/**
 * Opens a connection. One request is under way at a time, so whatever comes is its answer.
 *
 * @param broken told once if the other side closes it
 * @throws where nobody listens
 */
export const connect = (
  port: number,
  heard: (answer: Answer) => void,
  broken: (why: string) => void,
): Promise<Connection> =>
  new Promise((resolve, reject) => {
    const socket: Socket = open({ port, host: '127.0.0.1', noDelay: true })
    let pending = ''
    let isClosed = false
    const end = (why: string): void => {
      if (isClosed) return
      isClosed = true
      broken(why)
      reject(new Error(why))
    }
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      pending = pending === '' ? text : pending + text
      const read = readAnswer(pending)
      if (read === null) return
      pending = pending.slice(read.end)
      heard(read.answer)
    })
    socket.on('error', (error) => end(error.message))
    socket.on('close', () => end('the connection was closed'))
    socket.on('connect', () =>
      resolve({
        send: (request) => socket.write(request, 'latin1'),
        close: () => {
          isClosed = true
          socket.destroy()
        },
      }),
    )
  })
