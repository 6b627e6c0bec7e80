/** Interprets a row of a flow: makes the HTTP request, and learns from the answer. */
import type { Answer } from '../src/http/answer.ts'
import { formType } from '../src/http/body.ts'
import type { Known, ParameterTemplates, RequestRow, Templates } from './flow.ts'
import { forge } from './forge.ts'
import type { Way } from './pages/exchanged.ts'
import { sampleCertificates } from './sample-key.ts'
import { membersOf, textOf } from './write.ts'

/** An HTTP request, as it is sent and as it is shown. */
export interface Message {
  readonly method: string
  /** Below `{base_url}`, with its query. */
  readonly path: string
  /** Without `Host` and `Content-Length`, which follow from the rest. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/**
 * A name that is not known becomes nothing: the page was left open until it was forgotten. After a name,
 * `|` brings a forgery of the JWT.
 */
export const fill = (template: string, known: Known): string =>
  template.replace(/\{(\w+)(?:\|(\w+))?\}/g, (_, name: string, forgery?: string) =>
    forge(known[name] ?? '', forgery),
  )

export const fillEach = (templates: Templates, known: Known): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(templates).map(([name, template]) => [name, fill(template, known)]),
  )

/** The same for every text in a JSON value. */
const fillJson = (value: unknown, known: Known): unknown =>
  JSON.parse(JSON.stringify(value), (_, member: unknown) =>
    typeof member === 'string' ? fill(member, known) : member,
  )

/** `application/x-www-form-urlencoded` (RFC 6749 appendix B). */
export const encodeForm = (fields: ParameterTemplates): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, values]) => [values].flat().map((one) => [name, one])),
  ).toString()

const fillParameters = (templates: ParameterTemplates, known: Known): ParameterTemplates =>
  Object.fromEntries(
    Object.entries(templates).map(([name, values]) => [
      name,
      [values].flat().map((one) => fill(one, known)),
    ]),
  )

/** RFC 6749 section 2.3.1. */
const basic = (id: string, secret: string): string =>
  `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`

const authorizationOf = ({ as, bearer, proof }: RequestRow, known: Known): Templates => {
  const scheme = proof === undefined ? 'Bearer' : 'DPoP'
  if (bearer !== undefined) return { Authorization: `${scheme} ${fill(bearer, known)}` }
  return as === undefined || as.secret === null
    ? {}
    : { Authorization: basic(fill(as.id, known), fill(as.secret, known)) }
}

/** One parameter a line, `name=value`, as a person types them. */
const typedFields = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line) => {
        const equals = line.indexOf('=')
        return equals === -1 ? [line, ''] : [line.slice(0, equals), line.slice(equals + 1)]
      }),
  )

/** RFC 7521 section 4.2. */
const assertionFields = (known: Known): Readonly<Record<string, string>> => ({
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: known.client_assertion ?? '...',
})

const formOf = (
  form: Templates | string,
  { as, assertion }: RequestRow,
  known: Known,
): Readonly<Record<string, string>> => {
  const fields = typeof form === 'string' ? typedFields(fill(form, known)) : fillEach(form, known)
  return {
    ...fields,
    ...(as?.secret === null ? { client_id: fill(as.id, known) } : {}),
    ...(assertion === undefined ? {} : assertionFields(known)),
  }
}

const bodyOf = (row: RequestRow, known: Known) => {
  const { form, json } = row
  if (form !== undefined) return { type: formType, body: encodeForm(formOf(form, row, known)) }
  if (json === undefined) return null
  return { type: 'application/json', body: JSON.stringify(fillJson(json, known)) }
}

export const messageOf = (row: RequestRow, known: Known): Message => {
  const [method = '', path = ''] = fill(row.line, known).split(' ')
  const query = row.query === undefined ? '' : `?${encodeForm(fillParameters(row.query, known))}`
  const content = bodyOf(row, known)
  const { certificate } = row
  return {
    method,
    path: path + query,
    headers: {
      ...authorizationOf(row, known),
      ...(row.proof === undefined ? {} : { DPoP: known.proof ?? '...' }),
      ...(certificate === undefined
        ? {}
        : { 'Client-Cert': `:${sampleCertificates[certificate.of]}:` }),
      ...fillEach(row.headers ?? {}, known),
      ...(content === null ? {} : { 'Content-Type': content.type }),
    },
    body: content?.body ?? null,
  }
}

/**
 * The resource server answers for its items, and with its own metadata. Its proxy asks whether a
 * request may pass. The document of a client is read by the server.
 */
export const wayOf = ({ line }: RequestRow): Way => {
  if (line.startsWith('GET /forward-auth')) return ['api', 'server']
  if (line.startsWith('GET /documents/')) return ['server', 'client']
  if (line === 'POST /revocation-feed') return ['api', 'server']
  const isApi = / \/(api|\.well-known\/oauth-protected-resource)\//.test(line)
  return ['client', isApi ? 'api' : 'server']
}

/** Whether an answer is the one that the step is about. */
export const isExpected = ({ status = 200 }: RequestRow, answer: Pick<Answer, 'status'>): boolean =>
  [status].flat().includes(answer.status)

const memberAt = (path: string, members: unknown): unknown =>
  path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null) return undefined
    return name === '*' ? Object.values(value)[0] : Reflect.get(value, name)
  }, members)

const learnedFrom = ({ learn = {} }: RequestRow, { headers, body }: Answer): Known => {
  const members = { ...membersOf(textOf(body)), ETag: headers.ETag }
  return Object.fromEntries(
    Object.entries(learn).flatMap(([path, name]) => {
      const value = memberAt(path, members)
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

/** What is known after an answer. One with another status teaches nothing. */
export const afterAnswer = (known: Known, row: RequestRow, answer: Answer): Known => {
  if (!isExpected(row, answer)) return known
  const after = { ...known, ...learnedFrom(row, answer), ...fillEach(row.set ?? {}, known) }
  return Object.fromEntries(Object.entries(after).filter(([name]) => !row.forget?.includes(name)))
}
