/** A poll of the feed of revocations, as an operation for planted faults. */
import assert from 'node:assert/strict'
import { operatorOf } from '../flows/operator.ts'
import type { Reachable } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { poll } from '../support/feed.ts'
import { newCode, type Operation, reading, redeemCode } from './operation.ts'

const revokeOne = async (service: Reachable): Promise<void> => {
  const { code } = await newCode(service)
  const { access_token } = (await redeemCode(service, code)).body
  assert.equal((await service.post('/revoke', { token: access_token }, photoPrinter)).status, 200)
}

/** The application may introspect, so it may follow the feed. */
export const feedOperation: Operation = reading(
  'poll for revocations',
  async (service) => {
    const operator = await operatorOf(service)
    await operator('PATCH', 'clients/photo-printer', { may_introspect: true })
    // The first poll begins the feed, and the first event makes the store keep the signing key.
    await poll(service, photoPrinter)
    await revokeOne(service)
    await poll(service, photoPrinter)
    await revokeOne(service)
    return () => poll(service, photoPrinter)
  },
  ({ body }) => assert.ok(Object.keys(body.sets).length > 0),
)
