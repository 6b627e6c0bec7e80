/** Steps that several flows have. */
import { demoOwners } from '../../demo/people.ts'
import type { SendStep } from '../flow.ts'
import { apiCall, houseApp, said, tokenCall } from '../messages.ts'

const [alice] = demoOwners

/** RFC 6749 section 4.3.2. */
export const passwordForm = (scope: string) => ({
  grant_type: 'password',
  username: alice.username,
  password: alice.password,
  scope,
})

export const readStep: SendStep = {
  kind: 'send',
  name: 'read',
  needs: ['access_token'],
  calls: [(known) => apiCall('/api/photos?limit=2', said(known, 'access_token'))],
}

/** Alice's tokens without a browser, for the flows that are about what comes after. */
export const firstTokensStep: SendStep = {
  kind: 'send',
  name: 'first-tokens',
  needs: [],
  calls: [() => tokenCall(houseApp, passwordForm('photos:read'))],
}
