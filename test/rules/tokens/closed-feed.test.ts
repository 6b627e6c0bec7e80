/** The feed of revocations of a service that ends. */
import { test } from 'node:test'
import type { ClientId } from '../../../src/model/ids.ts'
import { createRevocationFeed } from '../../../src/tokens/revocation-feed.ts'

test('nobody waits for news of a service that has ended', async () => {
  const limits = { revocationPolls: 9, revocationPollsPerClient: 9 }
  const feed = createRevocationFeed({ settings: { limits } } as never, () => () => {})
  const waiting = feed.wait('epoch.1', 30, 'api' as ClientId)
  feed.close()
  await waiting
  await feed.wait('epoch.1', 30, 'api' as ClientId)
})
