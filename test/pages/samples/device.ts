/** Examples of the pages for devices. */
import { renderAsking, renderEnd, renderEnter } from '../../../src/features/device/page.ts'
import type { View } from '../../../src/paper/view.ts'
import { csrf, journey, longName, now, owner } from './values.ts'

export const deviceSamples = (view: View): Readonly<Record<string, string>> => {
  const enter = { view, csrf, typed: '', problem: null, waitSeconds: null }
  const asking = {
    view,
    csrf,
    journey,
    clientName: 'TV Player',
    clientRegisteredBy: 'operator',
    clientUri: null,
    owner,
    code: 'WDJB-MJHT',
    askedAt: now,
    network: '203.0.113.*',
    isSameNetwork: true,
  } as const
  return {
    device: renderEnter(enter),
    'device-filled': renderEnter({ ...enter, typed: 'WDJB-MJHT' }),
    'device-wrong': renderEnter({ ...enter, typed: 'W'.repeat(64), problem: 'wrong' }),
    'device-throttled': renderEnter({ ...enter, problem: 'throttled', waitSeconds: 64 }),
    'device-asking': renderAsking(asking),
    'device-asking-long': renderAsking({
      ...asking,
      clientName: longName,
      clientRegisteredBy: 'itself',
      clientUri: `https://${'long.'.repeat(20)}example.com/`,
      owner: { username: longName, name: longName },
      network: '2001:db8:ffff:*',
      isSameNetwork: false,
    }),
    'device-approved': renderEnd(view, 'TV Player', 'approved'),
    'device-denied': renderEnd(view, longName, 'denied'),
    'device-impossible': renderEnd(view, longName, 'impossible'),
    'device-over': renderEnd(view, 'TV Player', 'over'),
  }
}
