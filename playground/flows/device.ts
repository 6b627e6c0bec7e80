/** Device authorization (RFC 8628): a television shows a code, and its owner types it somewhere else. */
import type { Flow } from '../flow.ts'
import { gallery, noToken, readStep, television, token } from './rows.ts'

const poll = {
  grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
  device_code: '{device_code}',
}

export const deviceFlow: Flow = {
  name: 'device',
  client: 'TV Player',
  owner: 'alice',
  steps: [
    {
      name: 'ask-device',
      send: [
        {
          line: 'POST /device_authorization',
          as: television,
          form: { scope: 'photos:read' },
          learn: { device_code: 'device_code', user_code: 'user_code' },
          forget: ['access_token'],
        },
      ],
    },
    { name: 'poll-early', send: [noToken(television, poll)] },
    { name: 'enter-code', to: '/device', visit: { user_code: '{user_code}' } },
    { name: 'poll', send: [token(television, poll)] },
    readStep,
  ],
  attacks: [
    { name: 'sent-code', to: '/device', visit: { user_code: '{user_code}' } },
    {
      name: 'guessed-code',
      send: [{ line: 'POST /device', form: { user_code: 'BBBB-BBBB' }, status: 403 }],
    },
    { name: 'foreign-poll', send: [noToken(gallery, poll)] },
    { name: 'second-poll', send: [noToken(television, poll)], needs: ['access_token'] },
  ],
}
