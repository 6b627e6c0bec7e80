/** HTTP messages as text, exactly as they are sent and received, and the fields in them. */

import type { Answer } from '../src/http/answer.ts'
import { formType } from '../src/http/body.ts'
import { playgroundLimits } from './limits.ts'
import type { Field, WrittenMessage } from './pages/exchanged.ts'
import type { Message } from './request.ts'

/** Reason phrases (RFC 9110 section 15) of what the service answers here. */
const phrases: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  302: 'Found',
  303: 'See Other',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  412: 'Precondition Failed',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** Headers that are explained; the others are the same for every answer. */
const explained = [
  'authorization',
  'dpop',
  'dpop-nonce',
  'client-cert',
  'content-type',
  'cache-control',
  'if-match',
  'location',
  'www-authenticate',
  'etag',
  'retry-after',
  'remote-user',
  'remote-subject',
  'remote-client',
  'remote-scope',
]

const explainedHeaders = (headers: readonly Field[]): readonly Field[] =>
  headers
    .map(([name, value]): Field => [name.toLowerCase(), value])
    .filter(([name]) => explained.includes(name))

/** Those of a query, or of the fragment of an address that a browser is sent to. */
const queryFields = (target: string): readonly Field[] => {
  const mark = target.search(/[?#]/)
  return mark === -1 ? [] : [...new URLSearchParams(target.slice(mark + 1))]
}

/** A body as text; what the playground asks for is never anything else. */
export const textOf = (body: Answer['body']): string => (typeof body === 'string' ? body : '')

/** The members of a JSON object; none where the text is something else. */
export const membersOf = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

export const fieldsOfMembers = (members: Readonly<Record<string, unknown>>): readonly Field[] =>
  Object.entries(members).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])

const memberFields = (text: string): readonly Field[] => fieldsOfMembers(membersOf(text))

const written = (
  start: string,
  headers: readonly Field[],
  body: string,
  fields: readonly Field[],
): WrittenMessage => {
  const shown = body.slice(0, playgroundLimits.bodyCharacters)
  return { start, headers, body: shown, cut: body.length - shown.length, fields }
}

/** Every header of a request but those that only a socket has. */
export const requestHeaders = ({ headers, body }: Message, issuer: string): readonly Field[] => [
  ['Host', new URL(issuer).host],
  ...Object.entries(headers),
  ...(body === null ? [] : [['Content-Length', String(Buffer.byteLength(body))] as const]),
]

export const writeRequest = (message: Message, issuer: string): WrittenMessage => {
  const { method, path, body } = message
  const headers = requestHeaders(message, issuer)
  const { pathname } = new URL(issuer)
  const isForm = message.headers['Content-Type'] === formType
  return written(`${method} ${pathname.replace(/\/$/, '')}${path} HTTP/1.1`, headers, body ?? '', [
    ...explainedHeaders(headers),
    ...queryFields(path),
    ...(isForm ? new URLSearchParams(body ?? '') : memberFields(body ?? '')),
  ])
}

export const writeAnswer = ({ status, headers, body }: Answer): WrittenMessage => {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one): Field => [name, one]),
  )
  const text = textOf(body)
  const location = lines.find(([name]) => name === 'Location')?.[1] ?? ''
  return written(`HTTP/1.1 ${status} ${phrases[status] ?? ''}`.trim(), lines, text, [
    ...explainedHeaders(lines).filter(([name]) => name !== 'content-type'),
    ...queryFields(location),
    ...memberFields(text),
  ])
}
