/** The flows without a browser: password, client credentials, refresh, and an extension grant. */
import type { Call, Flow, Known, Site } from '../flow.ts'
import {
  apiCall,
  bearer,
  clientForm,
  houseApp,
  introspectCall,
  json,
  learning,
  nightlyReport,
  photoPrinter,
  refusedToken,
  said,
  toApi,
  tokenCall,
  toServer,
} from '../messages.ts'
import { firstTokensStep, passwordForm, readStep } from './steps.ts'

export const passwordFlow: Flow = {
  name: 'password',
  client: 'House App',
  owner: 'alice',
  steps: [
    {
      kind: 'send',
      name: 'password',
      needs: [],
      calls: [() => tokenCall(houseApp, passwordForm('photos:read'))],
    },
    readStep,
  ],
  attacks: [
    {
      kind: 'send',
      name: 'untrusted-password',
      needs: [],
      calls: [() => refusedToken(photoPrinter, passwordForm('photos:read'))],
    },
  ],
}

const credentialsForm = (scope: string) => ({ grant_type: 'client_credentials', scope })

export const clientCredentialsFlow: Flow = {
  name: 'client-credentials',
  client: 'Nightly Report',
  owner: null,
  steps: [
    {
      kind: 'send',
      name: 'credentials',
      needs: [],
      calls: [() => tokenCall(nightlyReport, credentialsForm('calendar:read calendar:write'))],
    },
    {
      kind: 'send',
      name: 'own-write',
      needs: ['access_token'],
      calls: [
        (known) => ({
          message: json('PUT', '/api/calendar/report', bearer(said(known, 'access_token')), {
            title: 'The report of the night',
          }),
          way: toApi,
          expected: said(known, 'written') === '' ? 201 : 200,
          learn: () => ({ written: 'yes' }),
        }),
      ],
    },
    {
      kind: 'send',
      name: 'own-read',
      needs: ['access_token'],
      calls: [(known) => apiCall('/api/calendar', said(known, 'access_token'))],
    },
  ],
  attacks: [
    {
      kind: 'send',
      name: 'wrong-secret',
      needs: [],
      calls: [
        () =>
          refusedToken(
            { ...nightlyReport, secret: 'a-guess' },
            credentialsForm('photos:read'),
            401,
          ),
      ],
    },
    {
      kind: 'send',
      name: 'operator-scope',
      needs: [],
      calls: [() => refusedToken(nightlyReport, credentialsForm('clients:write'))],
    },
  ],
}

const refreshForm = (token: string) => ({ grant_type: 'refresh_token', refresh_token: token })

const refreshCall = (known: Known, from: string, to: string): Call =>
  tokenCall(
    houseApp,
    refreshForm(said(known, from)),
    learning({ access_token: 'access_token', refresh_token: to }),
  )

export const refreshFlow: Flow = {
  name: 'refresh',
  client: 'House App',
  owner: 'alice',
  steps: [
    firstTokensStep,
    {
      kind: 'send',
      name: 'refresh',
      needs: ['refresh_token'],
      calls: [(known) => refreshCall(known, 'refresh_token', 'second_refresh_token')],
    },
    {
      kind: 'send',
      name: 'lost-answer',
      needs: ['second_refresh_token'],
      calls: [(known) => refreshCall(known, 'refresh_token', 'second_refresh_token')],
    },
    {
      kind: 'send',
      name: 'refresh-again',
      needs: ['second_refresh_token'],
      calls: [(known) => refreshCall(known, 'second_refresh_token', 'third_refresh_token')],
    },
  ],
  attacks: [
    {
      kind: 'send',
      name: 'stolen-refresh',
      needs: ['third_refresh_token'],
      calls: [
        (known) => refusedToken(houseApp, refreshForm(said(known, 'refresh_token'))),
        (known) => introspectCall(houseApp, said(known, 'access_token')),
        (known) => refusedToken(houseApp, refreshForm(said(known, 'third_refresh_token'))),
      ],
    },
    {
      kind: 'send',
      name: 'foreign-refresh',
      needs: ['refresh_token'],
      calls: [(known) => refusedToken(photoPrinter, refreshForm(said(known, 'refresh_token')))],
    },
  ],
}

/** One parameter a line, `name=value`, as a person types them. */
const typedFields = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line) => {
        const equals = line.indexOf('=')
        return equals === -1 ? [line, ''] : [line.slice(0, equals), line.slice(equals + 1)]
      }),
  )

const registrationCall = ({ extensions }: Site): Call => ({
  message: json(
    'POST',
    '/register',
    {},
    {
      client_name: 'Extension Tester',
      grant_types: extensions,
      response_types: [],
    },
  ),
  way: toServer,
  expected: 201,
  learn: learning({ client_id: 'client_id', client_secret: 'client_secret' }),
})

/** RFC 6749 section 4.5. What it asks for is known to whoever added it, so that is typed. */
export const extensionFlow = ([type = '']: readonly string[]): Flow => ({
  name: 'extension',
  client: 'Extension Tester',
  owner: null,
  steps: [
    {
      kind: 'send',
      name: 'register-extension',
      needs: [],
      calls: [(_, site) => registrationCall(site)],
    },
    {
      kind: 'send',
      name: 'extension',
      needs: ['client_id', 'client_secret'],
      asks: { name: 'parameters', fallback: `grant_type=${type}\nscope=photos:read` },
      calls: [
        (known) => {
          const caller = { id: said(known, 'client_id'), secret: said(known, 'client_secret') }
          const fields = typedFields(said(known, 'parameters'))
          return { ...tokenCall(caller, fields), message: clientForm('/token', caller, fields) }
        },
      ],
    },
    readStep,
  ],
  attacks: [],
})
