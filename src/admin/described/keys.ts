/** The routes about keys. */
import type { Z } from '../../protocol/schema.ts'
import { rotationForm } from '../key-form.ts'
import type { Forms, Operations } from './operation.ts'
import { listParameters, pageParameters } from './parameters.ts'

const key = (z: Z) => ({
  id: z.string(),
  use: z.enum(['sealing', 'signing']),
  algorithm: z.enum(['HS256', 'RS256', 'ES256', 'EdDSA']),
  usable_from: z.int().describe('unix seconds'),
})

export const keySchemas: Forms = {
  KeyPage: (z) =>
    z.strictObject({
      items: z.array(
        z.strictObject({
          ...key(z),
          created_at: z.int(),
          state: z
            .enum(['next', 'sealing', 'signing', 'old'])
            .describe('next: not used yet; old: checks what it has sealed or signed'),
        }),
      ),
      next: z.string().nullable(),
    }),
  KeyRotation: () => rotationForm(),
  RotatedKeys: (z) =>
    z.strictObject({ keys: z.array(z.strictObject(key(z))), tokens_ended: z.boolean() }),
  WithdrawnKey: (z) =>
    z.strictObject({
      withdrawn: z.string(),
      successor: z.string().nullable().describe('the key that signs in its place'),
    }),
}

export const keyOperations: Operations = {
  'GET /admin/api/keys': {
    id: 'listKeys',
    summary: 'List the keys, without anything secret of them',
    scope: 'keys:read',
    query: { ...listParameters.keys, ...pageParameters },
    answers: { 200: 'KeyPage' },
  },
  'POST /admin/api/keys': {
    id: 'rotateKeys',
    summary: 'Use new keys, an hour from now or at once',
    scope: 'keys:write',
    body: { form: 'KeyRotation', example: { use: 'signing', now: true }, optional: true },
    answers: { 201: 'RotatedKeys' },
  },
  'DELETE /admin/api/keys/:id': {
    id: 'withdrawKey',
    summary: 'Take a signing key away at once',
    scope: 'keys:write',
    answers: { 200: 'WithdrawnKey' },
  },
}
