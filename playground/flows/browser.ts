/** The flows that go through the owner's browser: the authorization code with and without PKCE, and implicit. */
import { hashText } from '../../src/crypto/digest.ts'
import type { Flow, PlayedClient, RequestRow, Templates } from '../flow.ts'
import {
  codeForm,
  gallery,
  introspect,
  noToken,
  photoPrinter,
  read,
  readStep,
  token,
} from './rows.ts'

/** An authorization request (RFC 6749 section 4.1.1). */
const request = (type: 'code' | 'token', { id }: PlayedClient, redirectUri: string): Templates => ({
  response_type: type,
  client_id: id,
  redirect_uri: redirectUri,
  scope: 'photos:read photos:write contacts:read',
  state: '{state}',
})

/** An authorization request that is refused before anybody is asked for anything. */
const noVisit = (query: Templates, status: number): RequestRow => ({
  line: 'GET /authorize',
  query,
  status,
})

const verified = (verifier: string): Templates => ({
  ...codeForm('{gallery}'),
  code_verifier: verifier,
})

/** After the exchange the fresh code is a used one. */
const spent = { set: { used_code: '{code}' }, forget: ['code'] } as const

export const codeFlow: Flow = {
  name: 'code',
  client: 'Photo Printer',
  owner: 'alice',
  steps: [
    { name: 'ask', visit: request('code', photoPrinter, '{callback}') },
    { name: 'arrive', arrive: 'query', at: '/callback' },
    { name: 'exchange', send: [{ ...token(photoPrinter, codeForm('{callback}')), ...spent }] },
    readStep,
  ],
  attacks: [
    { name: 'forged-state', forge: '/callback' },
    {
      name: 'changed-redirect',
      send: [noVisit(request('code', photoPrinter, '{callback}s'), 400)],
    },
    { name: 'other-redirect', send: [noToken(photoPrinter, codeForm('{callback}/'))] },
    {
      name: 'replay',
      send: [
        noToken(photoPrinter, codeForm('{callback}', '{used_code}')),
        introspect(photoPrinter, '{access_token}'),
        read('/api/photos?limit=2', 401),
      ],
    },
  ],
}

export const pkceFlow: Flow = {
  name: 'pkce',
  client: 'Gallery',
  owner: 'alice',
  steps: [
    {
      name: 'ask-with-challenge',
      visit: {
        ...request('code', gallery, '{gallery}'),
        code_challenge: '{challenge}',
        code_challenge_method: 'S256',
      },
    },
    { name: 'arrive', arrive: 'query', at: '/gallery' },
    {
      name: 'exchange-with-verifier',
      send: [{ ...token(gallery, verified('{code_verifier}')), ...spent }],
    },
    readStep,
  ],
  attacks: [
    {
      name: 'wrong-verifier',
      send: [
        noToken(gallery, verified(hashText('the verifier that a thief would guess'))),
        { ...noToken(gallery, verified('{code_verifier}')), forget: ['code'] },
      ],
    },
    { name: 'no-challenge', send: [noVisit(request('code', gallery, '{gallery}'), 302)] },
    { name: 'forged-state', forge: '/gallery' },
  ],
}

export const implicitFlow: Flow = {
  name: 'implicit',
  client: 'Gallery',
  owner: 'alice',
  steps: [
    { name: 'ask-token', visit: request('token', gallery, '{gallery}') },
    { name: 'arrive-fragment', arrive: 'fragment', at: '/gallery' },
    readStep,
  ],
  attacks: [
    {
      name: 'token-not-registered',
      send: [noVisit(request('token', photoPrinter, '{callback}'), 302)],
    },
  ],
}
