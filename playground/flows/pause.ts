/** Pause: an application can do nothing for a while, loses nothing, and its owner resumes it. */
import type { Flow, RequestRow, Templates } from '../flow.ts'
import {
  admin,
  codeForm,
  credentials,
  introspect,
  noToken,
  photoPrinter,
  read,
  refreshForm,
  token,
} from './rows.ts'

const request: Templates = {
  response_type: 'code',
  client_id: photoPrinter.id,
  redirect_uri: '{callback}',
  scope: 'photos:read',
  state: '{state}',
}

/** A change of the authorization by the admin API. */
const setPaused = (paused: boolean, bearer: string, status: number): RequestRow => ({
  line: 'PATCH /admin/api/authorizations/{authorization}',
  bearer,
  json: { paused },
  status,
})

const refreshed = noToken(photoPrinter, refreshForm('{refresh_token}'), 503)

export const pauseFlow: Flow = {
  name: 'pause',
  client: 'Photo Printer',
  owner: 'alice',
  steps: [
    { name: 'ask', visit: request },
    { name: 'arrive', arrive: 'query', at: '/callback' },
    {
      name: 'exchange',
      send: [
        { ...token(photoPrinter, codeForm('{callback}')), forget: ['code'] },
        {
          ...introspect(photoPrinter, '{access_token}'),
          learn: { sub: 'owner' },
        },
      ],
    },
    {
      name: 'pause',
      send: [
        {
          ...token(admin, credentials('authorizations:read authorizations:write')),
          learn: { access_token: 'admin_token' },
        },
        {
          line: 'GET /admin/api/authorizations',
          query: { owner: '{owner}', client: photoPrinter.id },
          bearer: '{admin_token}',
          learn: { 'items.0.id': 'authorization' },
        },
        { ...setPaused(true, '{admin_token}', 200), set: { paused: 'yes' } },
      ],
    },
    {
      name: 'while-paused',
      needs: ['paused'],
      send: [
        read('/api/photos?limit=1', 401),
        introspect(photoPrinter, '{access_token}'),
        refreshed,
      ],
    },
    { name: 'ask-to-resume', visit: request },
    { name: 'arrive-resumed', arrive: 'query', at: '/callback' },
    {
      name: 'works-again',
      needs: ['code'],
      send: [
        read('/api/photos?limit=1'),
        token(photoPrinter, refreshForm('{refresh_token}')),
        { ...token(photoPrinter, codeForm('{callback}')), forget: ['code', 'paused'] },
      ],
    },
  ],
  attacks: [
    { name: 'refresh-in-a-loop', needs: ['paused'], send: [refreshed, refreshed, refreshed] },
    { name: 'resume-itself', send: [setPaused(false, '{access_token}', 401)] },
  ],
}
