/** The parameters and headers of a refused request, as they may be kept. */
import { grantableNames } from '../access/permission.ts'
import { findReadText, formType, mediaType } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import { type HttpRequest, hostNameOf, rawPath, rawQuery } from '../http/request.ts'
import type { ReceivedValue } from '../model/kept-refusal.ts'
import { adminPermissions } from '../model/resource.ts'
import type { Refusal } from '../protocol/refusal.ts'
import type { ServiceParts } from '../registries.ts'
import { keptLimits } from '../requests/limits.ts'
import { redactClientId, redactUri, withheld, withoutSent } from '../requests/redact.ts'
import { isGuarded, isPlain, keptValue } from './kept-parameters.ts'

type Pair = readonly [name: string, value: string]

export interface Received {
  readonly values: readonly ReceivedValue[]
  /** Secrets of the request: they may stand in nothing that is kept. */
  readonly secrets: readonly string[]
}

const pairsOfForm = (text: string): readonly Pair[] => [...new URLSearchParams(text)]

/** Texts, numbers and lists of texts; whatever else a member may hold says nothing here. */
const pairsOfJson = (text: string): readonly Pair[] => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return []
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, one]: [string, unknown]): Pair[] => {
    const list: readonly unknown[] = Array.isArray(one) ? one : [one]
    const isText = list.every((each) => ['string', 'number', 'boolean'].includes(typeof each))
    return isText ? [[name, list.map(String).join(' ')]] : []
  })
}

const pairsOfBody = async (request: HttpRequest): Promise<readonly Pair[]> => {
  const text = await findReadText(request)
  if (text === null || text === '') return []
  const type = mediaType(request)
  if (type === formType) return pairsOfForm(text)
  return type?.endsWith('json') === true ? pairsOfJson(text) : []
}

/** The parameters, those of the authorization request behind a page first. */
const pairsOf = async (
  refusal: Refusal | undefined,
  request: HttpRequest,
): Promise<readonly Pair[]> => [
  ...(refusal?.parameters == null ? [] : pairsOfForm(refusal.parameters)),
  ...(refusal?.parameters === rawQuery(request) ? [] : pairsOfForm(rawQuery(request))),
  ...(await pairsOfBody(request)),
]

interface SentCredentials {
  readonly said: string
  readonly secret: string
}

const basicOf = (encoded: string): SentCredentials => {
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon === -1) return { said: withheld('Basic: a text', encoded), secret: encoded }
  const [id, secret] = [text.slice(0, colon), text.slice(colon + 1)]
  const said = `Basic: client_id ${redactClientId(id)} and ${withheld('a client secret', secret)}`
  return { said, secret }
}

const credentialsOf = (header: string): SentCredentials => {
  const [scheme = '', ...rest] = header.split(' ')
  const text = rest.join(' ').trim()
  if (/^basic$/i.test(scheme)) return basicOf(text)
  if (/^bearer$/i.test(scheme)) {
    return { said: `Bearer: ${withheld('a token', text)}`, secret: text }
  }
  return { said: withheld('a text', header), secret: text }
}

/** Cookies name logins and browsers. */
const cookiesOf = (request: HttpRequest): readonly string[] =>
  (request.headers.get('cookie') ?? '').split(';').map((one) => one.slice(one.indexOf('=') + 1))

const headersOf = (request: HttpRequest): readonly ReceivedValue[] => {
  const type = request.headers.get('content-type')
  const origin = request.headers.get('origin')
  return [
    { name: 'Host', value: hostNameOf(request) },
    ...(type === null ? [] : [{ name: 'Content-Type', value: type.split(';')[0] ?? '' }]),
    ...(origin === null ? [] : [{ name: 'Origin', value: redactUri(origin) }]),
    ...(request.headers.get('dpop') === null ? [] : [{ name: 'DPoP', value: 'a proof' }]),
  ].map(({ name, value }) => ({
    name,
    value: /^[\w.:/+[\]-]{1,120}$/.test(value) ? value : withheld('a text', value),
  }))
}

const unknownNames = (count: number): readonly ReceivedValue[] =>
  count === 0 ? [] : [{ name: 'others', value: `${count} parameters of other names` }]

/** The parts of a value that are not shown of it: they may stand in no sentence either. */
const partsLeftOut = (value: string, said: string): readonly string[] =>
  value.split(/[\s/?&=#@]+/).filter((part) => part !== '' && !said.includes(part))

/** @param refusal null where a page was refused without one */
export const readReceived = async (
  refusal: Refusal | undefined,
  { request }: Exchange,
  { resources }: Pick<ServiceParts, 'resources'>,
): Promise<Received> => {
  const pairs = await pairsOf(refusal, request)
  const scopes = [...grantableNames(resources), ...adminPermissions, ...names(resources)]
  const header = request.headers.get('authorization')
  const credentials = header === null ? null : credentialsOf(header)
  const left: string[] = []
  const kept = pairs.slice(0, keptLimits.parameters).flatMap(([name, value]) => {
    const said = keptValue(name, value, scopes)
    if (said === null) return []
    if (!isPlain(name)) left.push(...partsLeftOut(value, said))
    return [{ name, value: said }]
  })
  return {
    values: [
      ...kept,
      ...unknownNames(pairs.length - kept.length),
      { name: 'path', value: redactUri(rawPath(request)) },
      ...(credentials === null ? [] : [{ name: 'Authorization', value: credentials.said }]),
      ...headersOf(request),
    ].map(({ name, value }) => ({ name, value: value.slice(0, keptLimits.valueCharacters) })),
    secrets: [
      ...pairs.filter(([name]) => isGuarded(name)).map(([, value]) => value),
      ...left,
      ...(credentials === null ? [] : [credentials.secret]),
      ...cookiesOf(request),
    ].filter((secret) => secret !== ''),
  }
}

const names = ({ list }: Pick<ServiceParts['resources'], 'list'>): readonly string[] =>
  list().map(({ name }) => name)

/** The same without the secrets that the request sent elsewhere. */
export const clean = (text: string, { secrets }: Pick<Received, 'secrets'>): string =>
  withoutSent(text, secrets)
