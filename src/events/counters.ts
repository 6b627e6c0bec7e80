/** The counters of a node, each with its help text and its labels. */
import { createCounter, createHistogram } from './counter.ts'
import { metricLimits } from './limits.ts'

export const tokenKinds = ['access_token', 'refresh_token', 'id_token'] as const
const ways = ['password', 'second_factor', 'passkey', 'upstream']

export const createCounters = () => ({
  requests: createCounter('latchkey_requests_total', 'Requests answered.', [
    'route',
    'method',
    'status',
  ]),
  seconds: createHistogram(
    'latchkey_request_seconds',
    'How long requests took.',
    'route',
    metricLimits.requestMilliseconds,
  ),
  refusals: createCounter('latchkey_refusals_total', 'Requests refused, by reason.', ['reason']),
  logins: createCounter(
    'latchkey_logins_total',
    'Logins, by the way and the outcome.',
    ['way', 'outcome'],
    ways.flatMap((way) => [`${way} succeeded`, `${way} refused`]),
  ),
  grants: createCounter(
    'latchkey_grants_total',
    'Token requests, by grant type. The outcome is issued, or an error code.',
    ['type', 'outcome'],
  ),
  issued: createCounter(
    'latchkey_tokens_issued_total',
    'Tokens issued, by kind.',
    ['kind'],
    tokenKinds,
  ),
  read: createCounter(
    'latchkey_tokens_read_total',
    'Access tokens that came to a protected resource.',
    ['outcome'],
    ['accepted', 'refused'],
  ),
  introspected: createCounter(
    'latchkey_tokens_introspected_total',
    'Tokens introspected.',
    ['active'],
    ['true', 'false'],
  ),
  revoked: createCounter(
    'latchkey_tokens_revoked_total',
    'Tokens revoked by their clients, by kind.',
    ['kind'],
    ['access_token', 'refresh_token'],
  ),
  hashes: createHistogram(
    'latchkey_password_hash_seconds',
    'How long hashes of passwords took, without their wait in the queue.',
    null,
    metricLimits.hashMilliseconds,
  ),
  mails: createCounter(
    'latchkey_mails_total',
    'Mails by this node, by outcome.',
    ['outcome'],
    ['sent', 'retried', 'failed', 'held_back'],
  ),
  webhooks: createCounter(
    'latchkey_webhooks_total',
    'Tries to send an event to a webhook, by outcome.',
    ['webhook', 'outcome'],
  ),
  droppedUses: createCounter(
    'latchkey_uses_dropped_total',
    'Uses of authorizations that no ledger has, for want of room.',
    [],
    [''],
  ),
})
