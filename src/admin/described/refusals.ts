/** The routes about refused requests. */
import type { Z } from '../../protocol/schema.ts'
import type { Forms, Operations } from './operation.ts'
import { listParameters, pageParameters } from './parameters.ts'

const value = (z: Z) => z.strictObject({ name: z.string(), value: z.string() })

const refusal = (z: Z) =>
  z.strictObject({
    reference: z.string(),
    at: z.int().describe('unix seconds'),
    kept_until: z.int(),
    method: z.string(),
    route: z.string(),
    status: z.int(),
    error: z.string().nullable(),
    error_description: z.string(),
    reason: z.string().describe('the id of the rule'),
    rule: z.string().describe('where the rule stands'),
    received: z.array(value(z)).describe('the values that the rule is about'),
    expected: z.array(z.string()),
    difference: z.string().nullable(),
    fix: z.string(),
    request: z.array(value(z)).describe('all that is kept of the request'),
    client_id: z.string().nullable(),
    client_authenticated: z.boolean(),
    owner_id: z.string().nullable(),
    network: z.string(),
  })

export const refusalSchemas: Forms = {
  Refusal: refusal,
  RefusalPage: (z) => z.strictObject({ items: z.array(refusal(z)), next: z.string().nullable() }),
}

export const refusalOperations: Operations = {
  'GET /admin/api/refusals': {
    id: 'listRefusals',
    summary: 'List the refused requests of the last seven days',
    scope: 'events:read',
    query: { ...listParameters.refusals, ...pageParameters },
    answers: { 200: 'RefusalPage' },
  },
  'GET /admin/api/refusals/:reference': {
    id: 'readRefusal',
    summary: 'Explain why a request was refused',
    scope: 'events:read',
    answers: { 200: 'Refusal' },
  },
}
