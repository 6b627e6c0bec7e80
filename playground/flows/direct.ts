/** The flows without a browser: password, client credentials, refresh, and an extension grant. */
import type { Flow, RequestRow } from '../flow.ts'
import {
  credentials,
  firstTokensStep,
  houseApp,
  introspect,
  nightlyReport,
  noToken,
  password,
  photoPrinter,
  read,
  readStep,
  refreshForm,
  registered,
  registration,
  token,
} from './rows.ts'

export const passwordFlow: Flow = {
  name: 'password',
  client: 'House App',
  owner: 'alice',
  steps: [{ name: 'password', send: [token(houseApp, password('photos:read'))] }, readStep],
  attacks: [{ name: 'untrusted-password', send: [noToken(photoPrinter, password('photos:read'))] }],
}

export const clientCredentialsFlow: Flow = {
  name: 'client-credentials',
  client: 'Nightly Report',
  owner: null,
  steps: [
    {
      name: 'credentials',
      send: [token(nightlyReport, credentials('calendar:read calendar:write'))],
    },
    {
      name: 'own-write',
      send: [
        {
          line: 'PUT /api/calendar/report',
          bearer: '{access_token}',
          json: { title: 'The report of the night' },
          status: [201, 200],
        },
      ],
    },
    { name: 'own-read', send: [read('/api/calendar')] },
  ],
  attacks: [
    {
      name: 'wrong-secret',
      send: [noToken({ ...nightlyReport, secret: 'a-guess' }, credentials('photos:read'), 401)],
    },
    { name: 'operator-scope', send: [noToken(nightlyReport, credentials('clients:write'))] },
  ],
}

/** @param to the name of the refresh token that comes */
const refresh = (from: string, to: string): RequestRow => ({
  ...token(houseApp, refreshForm(`{${from}}`)),
  learn: { access_token: 'access_token', refresh_token: to },
})

export const refreshFlow: Flow = {
  name: 'refresh',
  client: 'House App',
  owner: 'alice',
  steps: [
    firstTokensStep,
    { name: 'refresh', send: [refresh('refresh_token', 'second_refresh_token')] },
    {
      name: 'lost-answer',
      needs: ['second_refresh_token'],
      send: [refresh('refresh_token', 'second_refresh_token')],
    },
    { name: 'refresh-again', send: [refresh('second_refresh_token', 'third_refresh_token')] },
  ],
  attacks: [
    {
      name: 'stolen-refresh',
      send: [
        noToken(houseApp, refreshForm('{refresh_token}')),
        introspect(houseApp, '{access_token}'),
        noToken(houseApp, refreshForm('{third_refresh_token}')),
      ],
    },
    { name: 'foreign-refresh', send: [noToken(photoPrinter, refreshForm('{refresh_token}'))] },
  ],
}

/** RFC 6749 section 4.5. Only its author knows the parameters of such a grant, so a person types them. */
export const extensionFlow = (types: readonly string[]): Flow => ({
  name: 'extension',
  client: 'Extension Tester',
  owner: null,
  steps: [
    {
      name: 'register-extension',
      send: [
        {
          line: 'POST /register',
          json: {
            client_name: 'Extension Tester',
            grant_types: types,
            response_types: [],
            scope: 'photos',
          },
          status: 201,
          learn: registration,
        },
      ],
    },
    {
      name: 'extension',
      asks: { name: 'parameters', fallback: `grant_type=${types[0]}\nscope=photos:read` },
      send: [{ ...token(registered, {}), form: '{parameters}' }],
    },
    readStep,
  ],
  attacks: [],
})
