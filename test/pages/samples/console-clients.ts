/** Examples of the pages of the console about applications. */
import assert from 'node:assert/strict'
import type { Client } from '../../../src/model/client.ts'
import type { ClientId, Digest } from '../../../src/model/ids.ts'
import type { View } from '../../../src/paper/view.ts'
import { builtIn } from '../../../src/registries.ts'
import { testRedirect } from '../../../src/requests/redirect-difference.ts'
import { renderClient } from '../../../src/rooms/console/clients/client.ts'
import { makeClientForm } from '../../../src/rooms/console/clients/client-form.ts'
import { clientList } from '../../../src/rooms/console/clients/clients.ts'
import { findKind } from '../../../src/rooms/console/clients/kinds/kinds.ts'
import { renderKindForm, renderMade } from '../../../src/rooms/console/clients/kinds/page.ts'
import { listFields, makeValues } from '../../../src/rooms/console/clients/kinds/values.ts'
import { renderNewSecret } from '../../../src/rooms/console/clients/new-secret.ts'
import type { ConsolePageGiven } from '../../../src/rooms/console/frame.ts'
import { renderList } from '../../../src/rooms/console/list.ts'
import { formatTexts, renderMemberForm } from '../../../src/rooms/console/member-form.ts'
import { sampleClient, sampleResource } from '../../store/sample.ts'
import { csrf, longName, now, owner } from './values.ts'

const client = sampleClient({
  name: 'Photo Printer',
  redirectUris: ['https://printer.example/callback', 'http://127.0.0.1:6750/callback'],
  grantTypes: ['authorization_code', 'refresh_token'],
  registrationDigest: 'digest' as Digest,
  createdAt: now - 90_000_000,
})

const clients: readonly Client[] = [
  client,
  { ...client, id: 'a'.repeat(200) as ClientId, name: longName, registeredBy: 'itself' },
  {
    ...client,
    id: 'https://quill.example/a-rather-long-path/client.json' as ClientId,
    name: 'Quill',
    authenticationMethod: 'none',
    secretDigest: null,
    disabled: true,
  },
]

/** The form of a kind with a problem, and the page after it. */
const kindSamples = (given: ConsolePageGiven): Readonly<Record<string, string>> => {
  const kind = findKind('web')
  assert.ok(kind)
  const { language } = given.view
  const needs = {
    resources: { list: () => [sampleResource({ uri: 'https://api.orders.example/v1' })] },
    settings: { claims: [] },
    registries: builtIn,
    language,
  }
  const values = { ...makeValues(listFields(kind, needs)), redirect_uris: ['http://a.example/'] }
  const problem = { field: 'redirect_uris', says: 'redirect_uris[0] is not on a loopback address' }
  const made = {
    issuer: 'https://login.example',
    mtlsUrl: 'https://login.example',
    id: client.id,
    method: 'client_secret_basic',
    redirectUri: 'https://printer.example/callback',
    scope: 'openid photos:read',
    uri: 'https://printer.example',
    resource: 'photos',
  }
  const { id, name } = client
  const secret = 'lk_cs_'.padEnd(49, 'x')
  return {
    'console-kind': renderKindForm(given, { kind, values, needs, above: null, problem }),
    'console-kind-made': renderMade(given, { id, name, secret, snippet: kind.snippet(made) }),
  }
}

export const consoleClientSamples = (view: View): Readonly<Record<string, string>> => {
  const given = { view, csrf, owner, role: 'operator' } as const
  const page = {
    client,
    acts: {
      lastTokenAt: now - 30,
      lastUsedAt: now - 60,
      owners: { count: 12, isMore: false },
      days: Array.from({ length: 31 }, (_, i) => ({
        at: now - (30 - i) * 86_400,
        tokens: (i * 7) % 40,
        refused: i % 4,
      })),
      refusals: [
        { reason: 'expired_code', count: 24, lastAt: now - 60 },
        { reason: 'wrong_secret', count: 3, lastAt: now - 86_400 },
      ],
    },
    test: null,
    notice: null,
    isUndoable: false,
    range: 'day',
    profile: 'spec',
    stricter: [
      {
        profile: 'oauth-2.1',
        clients: [
          { clientId: 'printer', name: 'Printer', rules: [{ rule: 'missing_pkce', lastDay: 0 }] },
        ],
      },
      { profile: 'fapi-2.0', clients: [] },
    ],
    funnel: [
      { step: 'authorize', count: 148 },
      { step: 'code', count: 128 },
    ],
  } as const
  const text = 'https://printer.example/callback/'
  const test = { text, result: testRedirect(text, client) }
  const filter = { q: '', by: '', state: '', kind: '', used: '' } as const
  const list = { items: clients, filter, next: 'x', isFirst: false }
  const members = makeClientForm({})
  const form = { on: client, texts: formatTexts(members, client), version: 'x', problem: null }
  const problem = { field: 'redirect_uris', says: 'redirect_uris[0] has a fragment' }
  return {
    'console-clients': renderList(clientList, given, list),
    'console-clients-none': renderList(clientList, given, { ...list, items: [], next: null }),
    'console-client': renderClient(given, { ...page, test }),
    'console-client-auditor': renderClient({ ...given, role: 'auditor' }, page),
    'console-client-earlier-secret': renderClient(given, {
      ...page,
      client: {
        ...client,
        oldSecret: { digest: 'old' as Digest, salt: 'old', expiresAt: now + 86_400 },
      },
    }),
    'console-client-secret': renderNewSecret(given, client, 'lk_cs_'.padEnd(49, 'x')),
    'console-client-form': renderMemberForm(members, given, form),
    'console-client-new': renderMemberForm(members, given, {
      ...form,
      texts: { ...form.texts, client_id: '' },
      on: null,
      problem,
    }),
    ...kindSamples(given),
  }
}
