/** Examples of the pages of the console. */

import type { OperatorsExplanation } from '../../../src/events/explain-refusal.ts'
import type { Overview } from '../../../src/events/series.ts'
import type { ScopeName } from '../../../src/model/resource.ts'
import type { View } from '../../../src/paper/view.ts'
import { type RefusalsPage, refusalList } from '../../../src/rooms/console/events/refusals.ts'
import { consoleLimits } from '../../../src/rooms/console/limits.ts'
import { renderList } from '../../../src/rooms/console/list.ts'
import { renderOverview } from '../../../src/rooms/console/overview/overview.ts'
import { renderToken } from '../../../src/rooms/console/token.ts'
import { renderSecondFactor } from '../../../src/rooms/console/visit.ts'
import { makeUnknown } from '../../../src/tokens/inspect.ts'
import { csrf, longName, now, owner } from './values.ts'

/** An hour with all that a chart can show: a rise, a gap, and a request that took very long. */
const hour = Array.from({ length: 60 }, (_, i) => i)
const overview: Overview = {
  range: 'hour',
  starts: hour.map((minute) => 1_795_262_400 + minute * 60),
  grants: {
    issued: hour.map((minute) => (minute === 30 ? 0 : 60 + ((minute * 7) % 40))),
    refused: hour.map((minute) => (minute > 45 ? 12 : minute % 3)),
  },
  logins: {
    succeeded: hour.map((minute) => (minute * 5) % 11),
    refused: hour.map((minute) => (minute % 9 === 0 ? 1 : 0)),
  },
  refusals: [
    { name: 'redirect_uri_not_registered', values: hour.map((minute) => (minute > 45 ? 9 : 0)) },
    { name: 'wrong_secret', values: hour.map((minute) => minute % 2) },
    { name: 'other', values: hour.map((minute) => (minute % 10 === 0 ? 1 : 0)) },
  ],
  funnel: [
    { step: 'authorize', count: 612 },
    { step: 'login', count: 548 },
    { step: 'consent', count: 498 },
    { step: 'code', count: 498 },
    { step: 'token', count: 431 },
  ],
  latency: {
    median: hour.map((minute) => (minute === 30 ? null : 5)),
    slowest: hour.map((minute) => {
      if (minute === 30) return null
      return minute === 50 ? Number.POSITIVE_INFINITY : 50
    }),
    routes: [
      { route: '/token', slowest: 250 },
      { route: '/authorize', slowest: 25 },
    ],
  },
}

const quiet = hour.map(() => 0)
const nothing: Overview = {
  range: 'hour',
  starts: overview.starts,
  grants: { issued: quiet, refused: quiet },
  logins: { succeeded: quiet, refused: quiet },
  refusals: [],
  funnel: [{ step: 'authorize', count: 0 }],
  latency: { median: hour.map(() => null), slowest: hour.map(() => null), routes: [] },
}

const refusal: OperatorsExplanation = {
  reference: '01m7yzpf0rrbsjtqm2r32a5wz5',
  at: 1_795_262_400,
  kept_until: 1_795_867_200,
  method: 'GET',
  route: '/authorize',
  status: 400,
  error: 'invalid_request',
  error_description: 'redirect_uri is not registered for this client',
  reason: 'unregistered_redirect_uri',
  rule: 'RFC 6749 section 3.1.2.3',
  received: [{ name: 'redirect_uri', value: 'https://printer.example/callback/' }],
  expected: ['https://printer.example/callback'],
  difference: 'differs from the registered one at character 33: a slash too many at the end',
  fix: 'Send a registered redirect_uri, character by character.',
  request: [{ name: 'scope', value: 'photos:read contacts:read calendar:read' }],
  client_id: 'photo-printer',
  client_authenticated: false,
  owner_id: '01m7yzpf0rrbsjtqm2r32a5wz6',
  network: '198.51.100.*',
}

const noFilter: RefusalsPage['filter'] = {
  reference: '',
  owner: '',
  client: '',
  reason: '',
  error: '',
  network: '',
  route: '',
  status: '',
  since: '',
  until: '',
}

export const consoleSamples = (view: View): Readonly<Record<string, string>> => {
  const given = { view, csrf, owner, role: 'operator' } as const
  const webhooks = [
    { id: 'siem', waiting: 14, oldestAt: now - 900 },
    { id: 'chat', waiting: 0, oldestAt: null },
  ]
  const attention = [
    { is: 'theft', type: 'refresh_token.reused', count: 1 },
    { is: 'wrongCodes', count: 23 },
    { is: 'guessing', count: 87 },
    { is: 'rising', count: 143, times: 3 },
    { is: 'risen', count: 31 },
    { is: 'mails', count: 14, minutes: 25 },
    { is: 'hashes', count: 2 },
    { is: 'missing', upstream: 'The company', count: 14 },
    { is: 'unchecked', upstream: 'The company', hours: 3 },
    { is: 'deafApi', resource: 'orders', seconds: 12 },
    { is: 'machine', machine: '10.0.0.3:5432', shards: 12, of: 32 },
    { is: 'oldKey', key: 'signing RS256', days: 121 },
  ] as const
  return {
    'console-overview': renderOverview({ ...given, overview, attention, waiting: 3, webhooks }),
    'console-overview-auditor': renderOverview({
      ...given,
      role: 'auditor',
      overview: nothing,
      attention: [],
      waiting: 0,
      webhooks: [],
    }),
    'console-explain': renderList(refusalList, given, {
      found: { ...refusal, known: { client: true, owner: false } },
      items: [],
      filter: { ...noFilter, reference: refusal.reference },
      next: null,
      isFirst: true,
    }),
    'console-explain-nothing': renderList(refusalList, given, {
      found: null,
      items: [],
      filter: { ...noFilter, reference: 'x', network: '198.51.100.*' },
      next: null,
      isFirst: true,
    }),
    'console-explain-full': renderList(refusalList, given, {
      found: null,
      items: Array.from({ length: consoleLimits.refusalRows }, () => ({
        ...refusal,
        client_id: longName,
      })),
      filter: noFilter,
      next: refusal.reference,
      isFirst: false,
    }),
    'console-token': renderToken(given, {
      ...makeUnknown('refresh_token', 'used'),
      clientId: 'photo-printer',
      owner: { id: refusal.owner_id ?? '', username: longName },
      authorizationId: refusal.reference,
      permissions: ['photos:read' as ScopeName, 'contacts:read' as ScopeName],
      audience: ['https://id.example/api/photos'],
      issuedAt: refusal.at,
    }),
    'console-token-form': renderToken(given, null),
    'console-second-factor': renderSecondFactor({ view, owner, hasFactor: false, next: 'admin' }),
  }
}
