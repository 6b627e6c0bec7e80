/** The flows that go through the owner's browser: the authorization code with and without PKCE, and implicit. */
import { digest } from '../../crypto/digest.ts'
import type { Call, Flow, ForgeStep, Known, RedirectPath, Site } from '../flow.ts'
import {
  apiCall,
  type Caller,
  encodeForm,
  gallery,
  get,
  introspectCall,
  learnTokens,
  photoPrinter,
  refusedToken,
  said,
  tokenCall,
  toServer,
} from '../messages.ts'
import { readStep } from './steps.ts'

const scope = 'photos:read photos:write contacts:read'

const callbackOf = ({ redirectOrigin }: Site): string => `${redirectOrigin}/callback`
const galleryOf = ({ redirectOrigin }: Site): string => `${redirectOrigin}/gallery`

const authorizePath = (fields: Readonly<Record<string, string>>): string =>
  `/authorize?${encodeForm(fields)}`

/** S256 (RFC 7636 section 4.2). */
const challengeOf = (known: Known) => ({
  code_challenge: digest(said(known, 'verifier')),
  code_challenge_method: 'S256',
})

const codeRequest = (caller: Caller, redirectUri: string, known: Known) => ({
  response_type: 'code',
  client_id: caller.id,
  redirect_uri: redirectUri,
  scope,
  state: said(known, 'state'),
})

/** The token request of a code (RFC 6749 section 4.1.3). */
const codeForm = (redirectUri: string, code: string) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: redirectUri,
})

/** What was a fresh code is a used one from now on. */
const spending =
  (known: Known): NonNullable<Call['learn']> =>
  (answer) => ({
    ...learnTokens(answer),
    ...(answer.status === 200 ? { code: null, used_code: said(known, 'code') } : {}),
  })

/** A request that the authorization server refuses before anybody is asked for anything. */
const refusedVisit = (path: string, expected: number): Call => ({
  message: get(path),
  way: toServer,
  expected,
})

const forged = (path: RedirectPath, flow: 'code' | 'pkce'): ForgeStep => ({
  kind: 'forge',
  name: 'forged-state',
  needs: [],
  location: ({ redirectOrigin, issuer }) =>
    `${redirectOrigin}${path}?${encodeForm({ code: 'lk_ac_a-code-of-the-attacker', state: `${flow}.guessed`, iss: issuer })}`,
})

export const codeFlow: Flow = {
  name: 'code',
  client: 'Photo Printer',
  owner: 'alice',
  steps: [
    {
      kind: 'visit',
      name: 'ask',
      needs: [],
      path: (known, site) => authorizePath(codeRequest(photoPrinter, callbackOf(site), known)),
    },
    { kind: 'arrive', name: 'arrive', needs: [], answer: 'query', path: '/callback' },
    {
      kind: 'send',
      name: 'exchange',
      needs: ['code'],
      calls: [
        (known, site) =>
          tokenCall(photoPrinter, codeForm(callbackOf(site), said(known, 'code')), spending(known)),
      ],
    },
    readStep,
  ],
  attacks: [
    forged('/callback', 'code'),
    {
      kind: 'send',
      name: 'changed-redirect',
      needs: [],
      calls: [
        (known, site) =>
          refusedVisit(
            authorizePath(codeRequest(photoPrinter, `${callbackOf(site)}s`, known)),
            400,
          ),
      ],
    },
    {
      kind: 'send',
      name: 'other-redirect',
      needs: ['code'],
      calls: [
        (known, site) =>
          refusedToken(photoPrinter, codeForm(`${callbackOf(site)}/`, said(known, 'code'))),
      ],
    },
    {
      kind: 'send',
      name: 'replay',
      needs: ['used_code', 'access_token'],
      calls: [
        (known, site) =>
          refusedToken(photoPrinter, codeForm(callbackOf(site), said(known, 'used_code'))),
        (known) => introspectCall(photoPrinter, said(known, 'access_token')),
        (known) => apiCall('/api/photos?limit=2', said(known, 'access_token'), 401),
      ],
    },
  ],
}

const withVerifier = (site: Site, code: string, verifier: string) => ({
  ...codeForm(galleryOf(site), code),
  code_verifier: verifier,
})

export const pkceFlow: Flow = {
  name: 'pkce',
  client: 'Gallery',
  owner: 'alice',
  steps: [
    {
      kind: 'visit',
      name: 'ask-with-challenge',
      needs: [],
      path: (known, site) =>
        authorizePath({ ...codeRequest(gallery, galleryOf(site), known), ...challengeOf(known) }),
    },
    { kind: 'arrive', name: 'arrive', needs: [], answer: 'query', path: '/gallery' },
    {
      kind: 'send',
      name: 'exchange-with-verifier',
      needs: ['code', 'code_verifier'],
      calls: [
        (known, site) =>
          tokenCall(
            gallery,
            withVerifier(site, said(known, 'code'), said(known, 'code_verifier')),
            spending(known),
          ),
      ],
    },
    readStep,
  ],
  attacks: [
    {
      kind: 'send',
      name: 'wrong-verifier',
      needs: ['code', 'code_verifier'],
      calls: [
        (known, site) =>
          refusedToken(
            gallery,
            withVerifier(
              site,
              said(known, 'code'),
              digest('the verifier that a thief would guess'),
            ),
          ),
        (known, site) => ({
          ...refusedToken(
            gallery,
            withVerifier(site, said(known, 'code'), said(known, 'code_verifier')),
          ),
          learn: () => ({ code: null }),
        }),
      ],
    },
    {
      kind: 'send',
      name: 'no-challenge',
      needs: [],
      calls: [
        (known, site) =>
          refusedVisit(authorizePath(codeRequest(gallery, galleryOf(site), known)), 302),
      ],
    },
    forged('/gallery', 'pkce'),
  ],
}

const tokenRequest = (caller: Caller, redirectUri: string, known: Known) => ({
  ...codeRequest(caller, redirectUri, known),
  response_type: 'token',
})

export const implicitFlow: Flow = {
  name: 'implicit',
  client: 'Gallery',
  owner: 'alice',
  steps: [
    {
      kind: 'visit',
      name: 'ask-token',
      needs: [],
      path: (known, site) => authorizePath(tokenRequest(gallery, galleryOf(site), known)),
    },
    { kind: 'arrive', name: 'arrive-fragment', needs: [], answer: 'fragment', path: '/gallery' },
    readStep,
  ],
  attacks: [
    {
      kind: 'send',
      name: 'token-not-registered',
      needs: [],
      calls: [
        (known, site) =>
          refusedVisit(authorizePath(tokenRequest(photoPrinter, callbackOf(site), known)), 302),
      ],
    },
  ],
}
