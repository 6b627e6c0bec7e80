/** Examples of the pages of the service itself: errors, the home page, the console for operators. */

import { renderTour } from '../../../playground/pages/tour.ts'
import { renderError } from '../../../src/paper/error.ts'
import type { View } from '../../../src/paper/view.ts'
import { renderFormPost } from '../../../src/rooms/oauth/form-post/page.ts'
import { renderOperator } from '../../../src/rooms/operator/operator.ts'
import { renderHome } from '../../../src/rooms/site/home-page.ts'
import { csrf, longName, now } from './values.ts'

const clients = [
  ['photo-printer', 'Photo Printer', 'photo-printer-secret', 'authorization_code refresh_token'],
  ['gallery', 'Gallery', null, 'authorization_code refresh_token implicit'],
  ['nightly-report', 'Nightly Report', 'nightly-report-secret', 'client_credentials'],
] as const

export const serviceSamples = (view: View): Readonly<Record<string, string>> => ({
  error: renderError({
    view,
    title: 'cannotFollow',
    happened: 'unregistered_redirect_uri',
    who: 'developer',
    advice: 'tellDeveloper',
  }),
  'error-details': renderError({
    view,
    title: 'cannotFollow',
    happened: 'unregistered_redirect_uri',
    who: 'developer',
    advice: 'tellDeveloper',
    details: {
      by: 'developer',
      received: ['https://printer.example/Callback/'],
      expected: {
        is: 'oneOf',
        values: ['https://printer.example/callback', 'https://other.example/'],
      },
      remedies: [{ say: 'sendExactly' }, { say: 'registerToo' }],
      command: {
        text: `curl -sS -X PATCH -H "Authorization: Bearer $ADMIN_TOKEN" 'https://id.example/admin/api/clients/${'a'.repeat(200)}'`,
        asOperator: true,
      },
      tokenCommand: "ADMIN_TOKEN=$(curl -sS -u CLIENT_ID 'https://id.example/token')",
    },
  }),
  'form-post': renderFormPost({
    view,
    clientName: longName,
    redirectHost: `${'sub.'.repeat(40)}example`,
    action: 'https://printer.example/callback',
    fields: { code: 'lk_ac_x', state: 'xyz', iss: 'https://id.example' },
  }),
  operator: renderOperator({ view, csrf, until: null, isRefused: true }),
  'operator-shown': renderOperator({ view, csrf, until: now, isRefused: false }),
  home: renderHome({ view, isOpen: true }),
  'home-demo': renderTour({
    view,
    issuer: 'http://127.0.0.1:6749',
    owners: [
      { username: 'alice', password: 'wonderland' },
      { username: 'bob', password: 'builder' },
    ],
    clients: clients.map(([id, name, secret, grants]) => ({
      id,
      name,
      secret,
      grantTypes: grants.split(' '),
      redirectUris: grants.includes('code') ? [`http://127.0.0.1:6750/${id}`] : [],
    })),
    curl: `curl -s http://127.0.0.1:6749/token -u nightly-report:nightly-report-secret -d grant_type=client_credentials -d scope=photos`,
    flows: ['code', 'pkce', 'device', 'refresh', 'metadata', 'dpop', 'login', 'backchannel'],
    attacks: 41,
  }),
})
