/** Notes a refusal for whoever asks why. Only what may be kept of the request is handed on. */
import type { Answer } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { type Caller, clientOf } from '../model/actor.ts'
import type { ClientId } from '../model/ids.ts'
import { type KeptRefusal, shareOf } from '../model/kept-refusal.ts'
import { unexpected } from '../model/notice.ts'
import type { Refusal } from '../protocol/refusal.ts'
import type { ServiceParts } from '../registries.ts'
import { keptLimits } from '../requests/limits.ts'
import { redactSentence, redactUri } from '../requests/redact.ts'
import { describeDifference } from '../requests/redirect-difference.ts'
import { clean, type Received, readReceived } from './received.ts'

const descriptionCharacters = 600
/** Registered values that are told as expected ones. */
const mostExpected = 5

/** It could not be written either. */
const untold = 'store_unavailable'

const clientsOf = (
  refusal: Refusal | undefined,
  caller: Caller,
): { readonly clientId: ClientId | null; readonly isClientProven: boolean } => {
  const proven = clientOf(caller)
  const named = refusal?.recorded.clientId ?? caller.named ?? null
  return { clientId: proven ?? (named as ClientId | null), isClientProven: proven !== null }
}

const differenceOf = (refusal: Refusal | undefined, received: Received): string | null => {
  if (refusal === undefined) return null
  const { given, registered = [], repeated = '', granted } = refusal.recorded
  if (given !== undefined) return describeDifference(given, registered)
  // A stranger may write anything as a name.
  if (/^[a-z_]{1,30}$/.test(repeated)) return clean(`${repeated} came more than once`, received)
  if (granted !== undefined) {
    const said = `the token allows ${granted.join(' ') || 'nothing'}`
    return clean(said.slice(0, descriptionCharacters), received)
  }
  const fault = refusal.explanation?.fault
  if (fault === undefined) return null
  return clean(redactSentence(fault, keptLimits.valueCharacters), received)
}

/** The registered URIs, or the permissions needed. */
const expectedBy = (refusal: Refusal | undefined, received: Received): readonly string[] => {
  if (refusal === undefined) return []
  const { registered = [], granted } = refusal.recorded
  const needed = granted === undefined ? [] : (refusal.scope ?? '').split(' ')
  return [...registered.map(redactUri), ...needed]
    .slice(0, mostExpected)
    .map((value) => clean(value, received))
}

type NotingParts = Pick<ServiceParts, 'resources' | 'refusals'>

/** @param route as the table of routes writes it */
const note = async (
  { status, reason, refused, reference }: Answer,
  route: string,
  exchange: Exchange,
  parts: NotingParts,
): Promise<void> => {
  const { caller, request, requestId, at } = exchange
  const id = refused?.reason ?? reason ?? ''
  if (id === untold || (reference !== undefined && parts.refusals.countFlood(reference))) return
  const { network, proven } = caller
  const client = clientsOf(refused, caller)
  const hasRoom = reference !== undefined || parts.refusals.hasRoom(shareOf({ ...client, network }))
  if (!hasRoom) return
  const received = await readReceived(refused, exchange, parts)
  const kept: KeptRefusal = {
    reference: reference ?? requestId,
    at,
    method: /^[A-Z]{1,10}$/.test(request.method) ? request.method : 'another',
    route,
    status,
    code: refused?.code ?? null,
    reason: id,
    description: clean(redactSentence(refused?.description ?? '', descriptionCharacters), received),
    received: received.values.map(({ name, value }) => ({ name, value: clean(value, received) })),
    expected: expectedBy(refused, received),
    difference: differenceOf(refused, received),
    ...client,
    ownerId: 'ownerId' in proven ? proven.ownerId : null,
    network,
  }
  if (reference === undefined) parts.refusals.note(kept)
  else parts.refusals.noteFlood(kept)
}

/** Notes a refused request. It changes nothing of the answer, waits for nothing and never rejects. */
export const keepRefusal = async (
  answer: Answer,
  route: string,
  exchange: Exchange,
  parts: NotingParts & Pick<ServiceParts, 'tell'>,
): Promise<void> => {
  try {
    await note(answer, route, exchange, parts)
  } catch (fault) {
    parts.tell({ ...unexpected(fault), requestId: exchange.requestId })
  }
}
