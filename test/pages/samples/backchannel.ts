/** Examples of the page of backchannel requests. */
import { renderRequests, type ShownRequest } from '../../../src/features/backchannel/page.ts'
import type { View } from '../../../src/paper/view.ts'
import { csrf, longName, now, owner } from './values.ts'

const cell = (permission: string, text: string, isRequired = false) => ({
  permission,
  text,
  asked: true,
  required: isRequired,
  allowedBefore: null,
  settled: false,
})

const request: ShownRequest = {
  id: '01kbg000000000000000000001',
  clientName: 'Cash Desk',
  looksLike: null,
  clientRegisteredBy: 'operator',
  clientUri: null,
  requester: 'a-digest',
  reason: null,
  message: 'Till 7: W4SCT',
  rows: [
    {
      resource: 'photos',
      title: 'Photos',
      note: null,
      read: cell('photos:read', 'See your photos'),
      write: null,
      further: [],
    },
  ],
  about: [],
  details: [],
  askedAt: now,
  expiresAt: now + 300,
  network: '203.0.113.*',
  tokenSeconds: 3600,
}

const details = [
  {
    place: 0,
    title: 'Payments',
    actions: ['Pay from your account'],
    harm: 'spend' as const,
    note: null,
    values: [
      { name: 'amount', label: 'Amount', value: '800.00' },
      { label: 'To', value: longName },
    ],
  },
]

export const backchannelSamples = (view: View): Readonly<Record<string, string>> => {
  const page = { view, csrf, owner, requests: [request], done: null, problem: null }
  const long: ShownRequest = {
    ...request,
    id: '01kbg000000000000000000002',
    clientName: longName,
    clientRegisteredBy: 'itself',
    looksLike: longName,
    clientUri: `https://${'long.'.repeat(20)}example.com/`,
    reason: longName,
    message: 'W'.repeat(100),
    details,
    tokenSeconds: null,
    network: '2001:db8:ffff:*',
  }
  const till: ShownRequest = { ...request, rows: [], details }
  const kept = { ...request, id: '01kbg000000000000000000003', message: null, keptUntil: null }
  return {
    requests: renderRequests(page),
    'requests-several': renderRequests({ ...page, requests: [request, long, kept] }),
    'requests-slip': renderRequests({ ...page, requests: [till] }),
    'requests-none': renderRequests({ ...page, requests: [] }),
    'requests-allowed': renderRequests({
      ...page,
      requests: [],
      done: { what: 'allowed', clientName: 'Cash Desk' },
    }),
    'requests-over': renderRequests({ ...page, problem: 'over' }),
  }
}
