/** Examples of the pages about streams of signals. */
import { renderStream, streamList } from '../../../src/features/signals/console-pages.ts'
import type { View } from '../../../src/paper/view.ts'
import { renderList } from '../../../src/rooms/console/list.ts'
import { csrf, now, owner } from './values.ts'

export const streamSamples = (view: View): Readonly<Record<string, string>> => {
  const console = { view, csrf, owner, role: 'operator' } as const
  const stream = {
    stream_id: '01k3abcdefghjkmnpqrstvwxyz',
    client_id: 'https://orders.example.com/a/rather/long/client/id',
    delivery: 'push',
    endpoint_host: 'signals.a-rather-long-name-of-a-host.orders.example.com',
    status: 'paused',
    reason: 'the authorization_header cannot be read any more: send it again',
    description: 'Orders of all shops',
    created_at: now - 86_400,
    taken_at: now - 60,
    waiting: 100,
    lag_seconds: 3600,
  }
  const polled = {
    ...{ ...stream, client_id: 'nightly-report', delivery: 'poll', endpoint_host: null },
    ...{ status: 'enabled', reason: '', description: '', taken_at: null, waiting: 0 },
    lag_seconds: null,
  }
  const filter = { client: '' }
  const whole = { filter, next: null, isFirst: true }
  return {
    'console-streams': renderList(streamList, console, { ...whole, items: [stream, polled] }),
    'console-streams-none': renderList(streamList, console, { ...whole, items: [] }),
    'console-stream': renderStream(console, stream, null),
  }
}
