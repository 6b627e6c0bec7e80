/** Tokens that are bound to a key (RFC 9449): each request proves it. */
import type { Flow, ProofRow, RequestRow } from '../flow.ts'
import { credentials, introspect, nightlyReport, read, token } from './rows.ts'

/** The photos, with a proof. */
const readWith = (proof: ProofRow, status = 200): RequestRow => ({
  ...read('/api/photos', status),
  proof,
})

export const dpopFlow: Flow = {
  name: 'dpop',
  client: 'Nightly Report',
  owner: null,
  steps: [
    {
      name: 'dpop-token',
      send: [
        { ...token(nightlyReport, credentials('photos:read')), proof: {} },
        introspect(nightlyReport, '{access_token}'),
      ],
    },
    { name: 'dpop-read', send: [readWith({})] },
  ],
  attacks: [
    { name: 'dpop-without-key', send: [read('/api/photos', 401)] },
    { name: 'dpop-replay', send: [readWith({}), readWith({ again: true }, 401)] },
    { name: 'dpop-other-key', send: [readWith({ by: 'thief' }, 401)] },
    { name: 'dpop-other-request', send: [readWith({ line: 'DELETE /api/photos' }, 401)] },
  ],
}
