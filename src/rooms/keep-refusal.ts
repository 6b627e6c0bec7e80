/** Notes a refusal for whoever asks why. Only what may be kept of the request is handed on. */

import { listAllPermissions } from '../access/permission.ts'
import type { Resources } from '../access/resources.ts'
import { formatName } from '../clients/distinguished-name.ts'
import { parseCertificate } from '../crypto/certificate.ts'
import type { Answer } from '../http/answer.ts'
import { findReadText, formType, readMediaType } from '../http/body.ts'
import { readCertificateChain, readClientCertificate } from '../http/client-certificate.ts'
import type { Exchange } from '../http/exchange.ts'
import { getHostName, getRawPath, getRawQuery, type HttpRequest } from '../http/request.ts'
import type { ClientId } from '../model/ids.ts'
import { isObject, parseJson } from '../model/json.ts'
import { type KeptRefusal, type ReceivedValue, shareOf } from '../model/kept-refusal.ts'
import { noteFault } from '../model/notice.ts'
import type { Refusal } from '../protocol/refusal.ts'
import type { ServiceParts } from '../registries.ts'
import { keptLimits } from '../requests/limits.ts'
import {
  formatWithheld,
  redactClientId,
  redactSentence,
  redactUri,
  stripSent,
} from '../requests/redact.ts'
import { describeDifference } from '../requests/redirect-difference.ts'
import { isGuarded, isPlain, redactValue } from './kept-parameters.ts'

/** The description of a kept refusal is cut here. */
const descriptionCharacters = 600
/** Values told as expected. */
const mostExpected = 5

type Pair = readonly [name: string, value: string]

/** Takes out of a text what the request sent as a secret elsewhere. */
type Clean = (text: string) => string

const parseFormPairs = (text: string): readonly Pair[] => [...new URLSearchParams(text)]

/** Texts, numbers and lists of texts; whatever else a member may hold says nothing here. */
const parseJsonPairs = (text: string): readonly Pair[] => {
  const value = parseJson(text)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, one]: [string, unknown]): Pair[] => {
    const list: readonly unknown[] = Array.isArray(one) ? one : [one]
    const isText = list.every((each) => ['string', 'number', 'boolean'].includes(typeof each))
    return isText ? [[name, list.map(String).join(' ')]] : []
  })
}

const readBodyPairs = async (request: HttpRequest): Promise<readonly Pair[]> => {
  const text = await findReadText(request)
  if (text === null || text === '') return []
  const type = readMediaType(request)
  if (type === formType) return parseFormPairs(text)
  return type?.endsWith('json') === true ? parseJsonPairs(text) : []
}

/** The parameters, those of the authorization request behind a page first. */
const readPairs = async (
  refusal: Refusal | undefined,
  request: HttpRequest,
): Promise<readonly Pair[]> => [
  ...(refusal?.parameters == null ? [] : parseFormPairs(refusal.parameters)),
  ...(refusal?.parameters === getRawQuery(request) ? [] : parseFormPairs(getRawQuery(request))),
  ...(await readBodyPairs(request)),
]

const readBasic = (encoded: string) => {
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon === -1) return { said: formatWithheld('Basic: a text', encoded), secret: encoded }
  const [id, secret] = [text.slice(0, colon), text.slice(colon + 1)]
  const said = `Basic: client_id ${redactClientId(id)} and ${formatWithheld('a client secret', secret)}`
  return { said, secret }
}

const schemes = ['Bearer', 'DPoP'] as const

const readCredentials = (header: string) => {
  const [scheme = '', ...rest] = header.split(' ')
  const text = rest.join(' ').trim()
  if (/^basic$/i.test(scheme)) return readBasic(text)
  const known = schemes.find((one) => one.toLowerCase() === scheme.toLowerCase())
  if (known !== undefined) {
    return { said: `${known}: ${formatWithheld('a token', text)}`, secret: text }
  }
  return { said: formatWithheld('a text', header), secret: text }
}

/** Cookies name logins and browsers. */
const readCookies = (request: HttpRequest): readonly string[] =>
  (request.headers.get('cookie') ?? '').split(';').map((one) => one.slice(one.indexOf('=') + 1))

/** A certificate is no secret. Its subject is the part that a reader compares. */
const readCertificate = (request: HttpRequest): readonly ReceivedValue[] => {
  const der = readClientCertificate(request)
  const between = readCertificateChain(request)
  const certificate = der === null || der === 'malformed' ? null : parseCertificate(der)
  const subject = certificate && formatName(certificate.subject).replace(/[^\x20-\x7e]/g, '?')
  const read = {
    'Client-Cert': subject === null ? null : `a certificate of ${subject || 'no subject'}`,
    'Client-Cert-Chain': between === 'malformed' ? null : `certificates: ${between.length}`,
  }
  return Object.entries(read).flatMap(([name, said]) => {
    const header = request.headers.get(name)
    return header === null ? [] : [{ name, value: said ?? formatWithheld('a text', header) }]
  })
}

const readHeaders = (request: HttpRequest): readonly ReceivedValue[] => {
  const type = request.headers.get('content-type')
  const origin = request.headers.get('origin')
  return [
    { name: 'Host', value: getHostName(request) },
    ...(type === null ? [] : [{ name: 'Content-Type', value: type.split(';')[0] ?? '' }]),
    ...(origin === null ? [] : [{ name: 'Origin', value: redactUri(origin) }]),
    ...(request.headers.get('dpop') === null ? [] : [{ name: 'DPoP', value: 'a proof' }]),
  ].map(({ name, value }) => ({
    name,
    value: /^[\w.:/+[\]-]{1,120}$/.test(value) ? value : formatWithheld('a text', value),
  }))
}

/** The parts of a value that are not shown of it: they may stand in no sentence either. */
const listLeftOut = (value: string, said: string): readonly string[] =>
  value.split(/[\s/?&=#@]+/).filter((part) => part !== '' && !said.includes(part))

/** @param refusal null where a page was refused without one */
const readReceived = async (
  refusal: Refusal | undefined,
  { request }: Exchange,
  resources: Resources,
) => {
  const pairs = await readPairs(refusal, request)
  const own = resources.list().map(({ name }) => name)
  const scopes = [...listAllPermissions(resources), ...own]
  const header = request.headers.get('authorization')
  const credentials = header === null ? null : readCredentials(header)
  const left: string[] = []
  const kept = pairs.slice(0, keptLimits.parameters).flatMap(([name, value]) => {
    const said = redactValue(name, value, scopes)
    if (said === null) return []
    if (!isPlain(name)) left.push(...listLeftOut(value, said))
    return [{ name, value: said }]
  })
  const others = pairs.length - kept.length
  const secrets = [
    ...pairs.filter(([name]) => isGuarded(name)).map(([, value]) => value),
    ...left,
    ...(credentials === null ? [] : [credentials.secret]),
    ...readCookies(request),
  ].filter((secret) => secret !== '')
  return {
    values: [
      ...kept,
      ...(others === 0 ? [] : [{ name: 'others', value: `${others} parameters of other names` }]),
      { name: 'path', value: redactUri(getRawPath(request)) },
      ...(credentials === null ? [] : [{ name: 'Authorization', value: credentials.said }]),
      ...readHeaders(request),
      ...readCertificate(request),
    ].map(({ name, value }) => ({ name, value: value.slice(0, keptLimits.valueCharacters) })),
    clean: (text: string): string => stripSent(text, secrets),
  }
}

const findDifference = (refusal: Refusal | undefined, clean: Clean): string | null => {
  if (refusal === undefined) return null
  const { given, registered = [], repeated = '', granted } = refusal.recorded
  if (given !== undefined) return describeDifference(given, registered)
  // A stranger may write anything as a name.
  if (/^[a-z_]{1,30}$/.test(repeated)) return clean(`${repeated} came more than once`)
  if (granted !== undefined) {
    const said = `the token allows ${granted.join(' ') || 'nothing'}`
    return clean(said.slice(0, descriptionCharacters))
  }
  const fault = refusal.explanation?.fault
  if (fault === undefined) return null
  return clean(redactSentence(fault, keptLimits.valueCharacters))
}

/** The registered URIs, or the permissions needed. */
const listExpected = (refusal: Refusal | undefined, clean: Clean): readonly string[] => {
  if (refusal === undefined) return []
  const { registered = [], granted } = refusal.recorded
  const needed = granted === undefined ? [] : (refusal.scope ?? '').split(' ')
  return [...registered.map(redactUri), ...needed].slice(0, mostExpected).map(clean)
}

export type KeepingNeeds = Pick<ServiceParts, 'resources' | 'refusals' | 'tell'>

/** @param route as the table of routes writes it */
const note = async (
  { status, reason, refused, reference }: Answer,
  route: string,
  exchange: Exchange,
  { resources, refusals }: KeepingNeeds,
): Promise<void> => {
  const { caller, request, requestId, at } = exchange
  const id = refused?.reason ?? reason ?? ''
  // The refusal could not be written either.
  if (id === 'store_unavailable') return
  if (reference !== undefined && refusals.countFlood(reference)) return
  const { network, proven } = caller
  const named = (refused?.recorded.clientId ?? caller.named ?? null) as ClientId | null
  const { clientId = null } = proven
  const client = { clientId: clientId ?? named, isClientProven: clientId !== null }
  if (reference === undefined && !refusals.hasRoom(shareOf({ ...client, network }))) return
  const { values, clean } = await readReceived(refused, exchange, resources)
  const said = redactSentence(refused?.description ?? '', descriptionCharacters)
  const kept: KeptRefusal = {
    reference: reference ?? requestId,
    at,
    method: /^[A-Z]{1,10}$/.test(request.method) ? request.method : 'another',
    route,
    status,
    code: refused?.code ?? null,
    reason: id,
    description: clean(said),
    received: values.map(({ name, value }) => ({ name, value: clean(value) })),
    expected: listExpected(refused, clean),
    difference: findDifference(refused, clean),
    ...client,
    ownerId: 'ownerId' in proven ? proven.ownerId : (caller.tried ?? null),
    network,
  }
  if (reference === undefined) refusals.note(kept)
  else refusals.noteFlood(kept)
}

/** Notes a refused request. The record changes nothing of the answer, waits for nothing and never rejects. */
export const keepRefusal = (
  answer: Answer,
  route: string,
  exchange: Exchange,
  needs: KeepingNeeds,
): Promise<void> =>
  note(answer, route, exchange, needs).catch((fault) => {
    needs.tell({ ...noteFault(fault), requestId: exchange.requestId })
  })
