/** Who is there in the demo: its owners, their things, and its clients. */

import type { Settings } from '../config/settings.ts'
import { featureClients } from '../features/demo.ts'
import { isForbidden } from '../protocol/profile.ts'

export const demoOwners = [
  {
    username: 'alice',
    password: 'wonderland',
    name: 'Alice Liddell',
    email: 'alice@example.com',
    claims: {
      given_name: 'Alice',
      family_name: 'Liddell',
      middle_name: 'Pleasance',
      nickname: 'Ally',
      profile: 'https://alice.example.com/',
      picture: 'https://alice.example.com/portrait.jpg',
      website: 'https://alice.example.com/photos',
      gender: 'female',
      birthdate: '1990-05-04',
      zoneinfo: 'Europe/London',
      locale: 'en-GB',
      address: {
        formatted: '6 Deanery Lane\nOxford OX1 1DP\nUnited Kingdom',
        street_address: '6 Deanery Lane',
        locality: 'Oxford',
        region: 'Oxfordshire',
        postal_code: 'OX1 1DP',
        country: 'United Kingdom',
      },
      phone_number: '+44 1865 496 0101',
      phone_number_verified: true,
    },
  },
  {
    username: 'bob',
    password: 'builder',
    name: 'Bob Mason',
    email: 'bob@example.com',
    claims: {
      given_name: 'Bob',
      family_name: 'Mason',
      middle_name: 'James',
      nickname: 'Bobby',
      profile: 'https://bob.example.com/',
      picture: 'https://bob.example.com/portrait.jpg',
      website: 'https://bob.example.com/bridges',
      gender: 'male',
      birthdate: '1985-04-12',
      zoneinfo: 'Europe/London',
      locale: 'en-GB',
      address: {
        formatted: '12 Bridge Yard\nLeeds LS1 4AP\nUnited Kingdom',
        street_address: '12 Bridge Yard',
        locality: 'Leeds',
        region: 'West Yorkshire',
        postal_code: 'LS1 4AP',
        country: 'United Kingdom',
      },
      phone_number: '+44 113 496 0102',
      phone_number_verified: true,
    },
  },
] as const

export const demoItems = {
  alice: {
    photos: [
      { title: 'The garden gate', taken: '2026-05-01', place: 'Oxford' },
      { title: 'A tea party', taken: '2026-05-04', place: 'Oxford' },
      { title: 'The river at noon', taken: '2026-07-04', place: 'Godstow' },
    ],
    contacts: [
      { name: 'Bob Mason', email: 'bob@example.com' },
      { name: 'Lorina', email: 'lorina@example.com' },
    ],
    calendar: [
      { title: 'Tea with the hatter', at: '2026-12-01T16:00:00Z' },
      { title: 'Croquet', at: '2026-12-05T10:00:00Z' },
    ],
  },
  bob: {
    photos: [
      { title: 'The new bridge', taken: '2026-04-12', place: 'Leeds' },
      { title: 'Scaffolding', taken: '2026-06-02', place: 'York' },
    ],
    contacts: [{ name: 'Alice Liddell', email: 'alice@example.com' }],
    calendar: [{ title: 'Concrete delivery', at: '2026-12-02T07:00:00Z' }],
  },
} as const

/**
 * A redirect URI of the demo's clients as it is where the service is reached: on `[::1]` there too,
 * since nothing may listen on `127.0.0.1`.
 */
export const placeRedirectUri = (issuer: string, uri: string): string =>
  new URL(issuer).hostname === '[::1]' ? uri.replace('//127.0.0.1', '//[::1]') : uri

/** Clients, as an operator would register them; the secrets are known to everyone. */
export const demoClients = [
  {
    id: 'photo-printer',
    secret: 'photo-printer-secret',
    metadata: {
      client_name: 'Photo Printer',
      redirect_uris: ['http://127.0.0.1:6750/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  },
  {
    id: 'gallery',
    secret: null,
    metadata: {
      client_name: 'Gallery',
      redirect_uris: ['http://127.0.0.1:6750/gallery'],
      grant_types: ['authorization_code', 'refresh_token', 'implicit'],
      response_types: ['code', 'token'],
      token_endpoint_auth_method: 'none',
    },
  },
  {
    id: 'house-app',
    secret: 'house-app-secret',
    metadata: {
      client_name: 'House App',
      grant_types: ['password', 'refresh_token'],
      response_types: [],
      trusted: true,
    },
  },
  {
    id: 'nightly-report',
    secret: 'nightly-report-secret',
    metadata: {
      client_name: 'Nightly Report',
      grant_types: ['client_credentials'],
      response_types: [],
    },
  },
  ...featureClients,
  {
    id: 'latchkey-admin',
    secret: 'latchkey-admin-secret',
    metadata: {
      client_name: 'Latchkey Admin',
      grant_types: ['client_credentials'],
      response_types: [],
      scope:
        'clients:read clients:write owners:read owners:write authorizations:read authorizations:write events:read groups:read groups:write issuers:read issuers:write resources:read resources:write streams:read streams:write keys:read keys:write',
    },
  },
] as const

/** A command for a first token. No profile forbids a secret to the client of the operator. */
export const formatTokenCommand = (
  issuer: string,
  { profile }: Pick<Settings, 'profile'>,
): string => {
  const id = isForbidden('weak_client', profile) ? 'latchkey-admin' : 'nightly-report'
  return `curl -s -u ${id}:${id}-secret -d grant_type=client_credentials ${issuer}/token`
}
