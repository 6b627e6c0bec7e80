/** The routes about owners. */
import { ownerForms } from '../../owners/registration.ts'
import type { Z } from '../../protocol/schema.ts'
import type { Forms, Operations } from './operation.ts'
import { listParameters, pageParameters } from './parameters.ts'

const owner = (z: Z) => ({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  claims: z.record(z.string(), z.unknown()),
  attributes: z.record(z.string(), z.unknown()),
  roles: z.array(z.string()),
  updated_at: z.int().describe('unix seconds'),
  disabled: z.boolean(),
  created_at: z.int().describe('unix seconds'),
  deletion_at: z.int().nullable().describe('null unless the owner deleted the account'),
  password_changed_at: z.int().nullable(),
})

const session = (z: Z) => ({
  id: z.string().describe('opens nothing'),
  started_at: z.int().describe('unix seconds'),
  seen_at: z.int().describe('its latest request, to within an hour'),
  expires_at: z.int(),
  user_agent: z.string(),
  network: z.string(),
  amr: z.array(z.string()),
})

export const ownerSchemas: Forms = {
  NewOwner: (z) =>
    ownerForms().creation.extend({
      password: z.string().nullish().describe('null: the owner chooses one by a link'),
      password_hash: z.string().optional().describe('a hash of another server'),
    }),
  OwnerChange: () => ownerForms().change,
  Owner: (z) => z.strictObject(owner(z)),
  OwnerPage: (z) =>
    z.strictObject({ items: z.array(z.strictObject(owner(z))), next: z.string().nullable() }),
  NewPassword: (z) => z.strictObject({ password: z.string() }),
  OwnerWithPasskeys: (z) =>
    z.strictObject({
      ...owner(z),
      passkeys_of_former_password: z.array(
        z.strictObject({ name: z.string(), created_at: z.int() }),
      ),
      upstreams_of_former_password: z.array(
        z.strictObject({ upstream: z.string(), label: z.string(), created_at: z.int() }),
      ),
    }),
  SessionPage: (z) =>
    z.strictObject({ items: z.array(z.strictObject(session(z))), next: z.string().nullable() }),
  WantedLink: () => ownerForms().link,
  Link: (z) => z.strictObject({ purpose: z.string(), link: z.string(), expires_at: z.int() }),
  SentLink: (z) => z.strictObject({ purpose: z.string(), sent_to: z.string() }),
}

const one = '/admin/api/owners/:id'

export const ownerOperations: Operations = {
  'GET /admin/api/owners': {
    id: 'listOwners',
    summary: 'List or search owners',
    scope: 'owners:read',
    query: { ...listParameters.owners, ...pageParameters },
    answers: { 200: 'OwnerPage' },
  },
  'POST /admin/api/owners': {
    id: 'createOwner',
    summary: 'Create an owner',
    scope: 'owners:write',
    body: {
      form: 'NewOwner',
      example: { username: 'carol', password: null, name: 'Carol', email: 'carol@example.com' },
    },
    answers: { 201: 'Owner' },
  },
  [`GET ${one}`]: {
    id: 'readOwner',
    summary: 'Read an owner',
    scope: 'owners:read',
    answers: { 200: 'Owner' },
  },
  [`PATCH ${one}`]: {
    id: 'changeOwner',
    summary: 'Change the members of an owner that the body has',
    scope: 'owners:write',
    body: { form: 'OwnerChange', example: { name: 'Carol Example' } },
    answers: { 200: 'Owner' },
  },
  [`DELETE ${one}`]: {
    id: 'deleteOwner',
    summary: 'Delete an owner and all that is stored of them',
    scope: 'owners:write',
    answers: { 204: null },
  },
  [`POST ${one}/set-password`]: {
    id: 'setPassword',
    summary: 'Set the password; ends all sessions and tokens',
    scope: 'owners:write',
    body: { form: 'NewPassword', example: { password: 'a-long-and-rare-passphrase' } },
    answers: { 200: 'OwnerWithPasskeys' },
  },
  [`POST ${one}/links`]: {
    id: 'createLink',
    summary: 'Make a link for the owner, or send it by mail',
    scope: 'owners:write',
    body: { form: 'WantedLink', example: { purpose: 'reset' } },
    answers: { 201: 'Link', 202: 'SentLink' },
  },
  [`GET ${one}/sessions`]: {
    id: 'listSessions',
    summary: 'List the live logins of an owner, the newest first',
    scope: 'owners:read',
    query: pageParameters,
    answers: { 200: 'SessionPage' },
  },
  [`POST ${one}/end-sessions`]: {
    id: 'endSessions',
    summary: 'Log the owner out everywhere',
    scope: 'owners:write',
    answers: { 204: null },
  },
  [`POST ${one}/end-access`]: {
    id: 'endAccess',
    summary: 'End all logins, and all access of applications',
    scope: 'owners:write',
    answers: { 204: null },
  },
  [`DELETE ${one}/factors`]: {
    id: 'resetFactors',
    summary: 'Take away all second factors',
    scope: 'owners:write',
    answers: { 204: null },
  },
}
