/** A request as Node's parser hands it over, seen as one of this service. */
import type { IncomingMessage } from 'node:http'
import { httpLimits } from './limits.ts'
import type { HttpRequest } from './request.ts'

/** A host name or address, with or without a port. */
const authority = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/** Hosts that were found to be right, since most requests name the same few. */
const rightHosts = new Set<string>()

/** Whether a text is the authority of a URL: host and port (RFC 3986 section 3.2). */
const isAuthority = (host: string): boolean => {
  if (rightHosts.has(host)) return true
  // The URL parser is stricter than the pattern about ports and addresses, and laxer about the rest.
  if (!authority.test(host) || !URL.canParse(`http://${host}/`)) return false
  if (rightHosts.size >= httpLimits.hostsRemembered) rightHosts.clear()
  rightHosts.add(host)
  return true
}

/** Reading a request costs only what is asked for. */
export class IncomingRequest implements HttpRequest {
  readonly method: string
  readonly url: string
  readonly #incoming: IncomingMessage
  readonly #headers: IncomingMessage['headers']

  constructor(incoming: IncomingMessage, url: string) {
    this.method = incoming.method ?? 'GET'
    this.url = url
    this.#incoming = incoming
    this.#headers = incoming.headers
  }

  get headers(): HttpRequest['headers'] {
    return this
  }

  get(name: string): string | null {
    const value = this.#headers[name]
    return value === undefined ? null : String(value)
  }

  get body(): AsyncIterable<Uint8Array> | null {
    const { 'transfer-encoding': coding, 'content-length': length = '0' } = this.#headers
    return coding === undefined && length === '0' ? null : this.#incoming
  }

  text(): Promise<string> {
    return new Promise((resolve, reject) => {
      const incoming = this.#incoming
      const pieces: Buffer[] = []
      const whenClosed = (): void => {
        if (!incoming.readableEnded) reject(new Error('the connection ended before the body did'))
      }
      if (incoming.destroyed) return whenClosed()
      incoming.on('data', (piece: Buffer) => pieces.push(piece))
      incoming.on('end', () => {
        const [first] = pieces
        const whole = pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces)
        resolve(whole.toString('utf8'))
      })
      incoming.on('close', whenClosed)
    })
  }
}

/** HTTP/1.0 knows no Host: then it is the address that the request came to (RFC 9112 section 3.2). */
const readHost = ({ headers, httpVersion, socket }: IncomingMessage): string => {
  if (headers.host !== undefined || httpVersion !== '1.0') return headers.host ?? ''
  const { localAddress = '', localPort } = socket
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`
}

/** The absolute URL of a request, or null if it names none (RFC 9112 section 3.2). */
export const readTarget = (incoming: IncomingMessage): string | null => {
  const { url = '' } = incoming
  if (url.startsWith('/')) {
    const host = readHost(incoming)
    return isAuthority(host) ? `http://${host}${url}` : null
  }
  // Written out by the parser it has a path, and what seems to be one in its query is none.
  return /^https?:/i.test(url) ? (URL.parse(url)?.href ?? null) : null
}
