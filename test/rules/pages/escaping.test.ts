/** UI-05, UI-15: whatever text comes in, a page keeps its tags and attributes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Brought, renderCallback } from '../../../playground/pages/callback.ts'
import { renderTour } from '../../../playground/pages/tour.ts'
import type { AuthorizationId, EventId, SessionHandle } from '../../../src/model/ids.ts'
import type { RequesterChange } from '../../../src/model/requester.ts'
import { renderError } from '../../../src/paper/error.ts'
import { renderLogin } from '../../../src/paper/login.ts'
import type { View } from '../../../src/paper/view.ts'
import { renderAccess } from '../../../src/rooms/account/access/page.ts'
import { renderEnded } from '../../../src/rooms/account/applications/ended.ts'
import { renderAccount } from '../../../src/rooms/account/applications/page.ts'
import { renderDelete, renderLeaving } from '../../../src/rooms/account/deletion/page.ts'
import { renderEvents } from '../../../src/rooms/account/events/page.ts'
import { renderLedger } from '../../../src/rooms/account/ledger/page.ts'
import { renderPassword } from '../../../src/rooms/account/password/page.ts'
import { renderProfile } from '../../../src/rooms/account/profile/page.ts'
import { renderPicture } from '../../../src/rooms/account/profile/picture.ts'
import { renderSessions } from '../../../src/rooms/account/sessions/page.ts'
import { renderLogout } from '../../../src/rooms/login/logout.ts'
import { renderConsent } from '../../../src/rooms/oauth/consent/page.ts'
import { renderResume } from '../../../src/rooms/oauth/resume.ts'
import { renderOperator } from '../../../src/rooms/operator/operator.ts'
import { renderHome } from '../../../src/rooms/site/home-page.ts'
import { english, languages } from '../../support/view.ts'
import { tagsOf } from './reading.ts'

/** A view whose operator is called so. */
const viewed = (text: string): View => ({
  ...english,
  requestId: text,
  brand: { ...english.brand, name: text },
})

const changeOf = (text: string): RequesterChange => ({
  name: [text, text],
  hosts: [text, text],
  responseTypes: [text, text],
  method: [text, text],
})

/** Every text of every page is `text`. */
const callback = (text: string, brought: Brought): string =>
  renderCallback({
    view: viewed(text),
    issuer: text,
    clientName: text,
    isPublic: true,
    fields: [[text, text]],
    brought,
    read: text,
  })

const pages: Readonly<Record<string, (text: string) => string>> = {
  login: (text) =>
    renderLogin({
      view: viewed(text),
      csrf: text,
      journey: text,
      clientName: text,
      clientRegisteredBy: 'itself',
      username: text,
      notice: text,
      problem: 'wrong',
    }),
  consent: (text) =>
    renderConsent({
      view: viewed(text),
      csrf: text,
      journey: text,
      requester: text,
      change: changeOf(text),
      client: {
        name: text,
        uri: text,
        logoPath: null,
        reason: text,
        selfRegistered: true,
        registeredAt: 0,
      },
      about: [
        {
          word: 'email',
          title: text,
          cell: {
            permission: text,
            text,
            asked: true,
            required: false,
            allowedBefore: null,
            settled: false,
            values: [{ label: text, value: text }],
          },
        },
      ],
      leftOut: text,
      redirectHost: text,
      opensApplication: false,
      owner: { username: text, name: `${text}!` },
      rows: [true, false].map((asked) => {
        const cell = {
          permission: text,
          text,
          asked,
          required: true,
          allowedBefore: { duration: 'forever', expiresAt: null } as const,
          settled: asked,
        }
        return { resource: text, title: text, read: cell, write: { ...cell, required: false } }
      }),
    }),
  account: (text) =>
    renderAccount({
      view: viewed(text),
      csrf: text,
      owner: { username: text, name: `${text}!` },
      now: 0,
      done: { what: 'ended', clientName: text, count: 1 },
      place: { q: text, show: 'all', order: 'used', page: 2 },
      counts: { all: 1, unused: 1, ending: 1, destructive: 1, paused: 1 },
      found: 1,
      first: 1,
      pages: 3,
      applications: [
        {
          id: text,
          clientName: text,
          clientRegisteredBy: 'operator',
          logoPath: null,
          what: text,
          isDestructive: true,
          isPaused: true,
          clientDisabled: true,
          installations: 2,
          branches: [
            {
              id: text as AuthorizationId,
              clientName: text,
              clientRegisteredBy: 'operator',
              parentClientName: text,
              clientDisabled: true,
              paused: null,
              lastUsedAt: 0,
              below: [],
            },
          ],
          duration: 'forever',
          createdAt: 0,
          expiresAt: null,
          lastUsedAt: 0,
        },
      ],
    }),
  access: (text) =>
    renderAccess({
      view: viewed(text),
      csrf: text,
      owner: { username: text, name: `${text}!` },
      id: text,
      clientId: text,
      clientName: text,
      approvedName: text,
      parentId: text as AuthorizationId,
      parentClientName: text,
      clientRegisteredBy: 'itself',
      clientUri: text,
      clientDisabled: true,
      logoPath: null,
      registration: { createdAt: 0, policyUri: text, termsUri: text },
      paused: { at: 0, by: 'operator', unusedDays: null },
      rows: [{ resource: text, title: text, read: { permission: text, text }, write: null }],
      about: [{ word: 'phone', cell: { permission: text, text } }],
      duration: 'forever',
      createdAt: 0,
      expiresAt: null,
      lastDay: text,
      days: { first: text, last: text },
      badEnd: text,
      others: [{ id: text, createdAt: 0, lastUsedAt: null }],
      branches: [],
      installations: 2,
      now: 0,
      drawnDays: 30,
      counted: [],
      uses: [],
      lastUsedAt: 0,
      done: { what: 'until', lost: [], before: text },
    }),
  profile: (text) =>
    renderProfile({
      view: { ...viewed(text), zone: 'Asia/Shanghai' },
      csrf: text,
      languages,
      owner: { username: text, name: `${text}!` },
      email: text,
      isVerified: true,
      waiting: { address: text, sent: text },
      groups: [text],
      values: {
        name: text,
        given_name: text,
        family_name: text,
        nickname: text,
        picture: text,
        profile: text,
        website: text,
        gender: text,
        birthdate: text,
        phone_number: text,
        street_address: text,
        postal_code: text,
        locality: text,
        region: text,
        country: text,
        language: text,
        zone: text,
      },
      zones: [text],
      notice: text,
      problem: null,
    }),
  delete: (text) =>
    renderDelete({
      view: viewed(text),
      csrf: text,
      owner: { username: text, name: `${text}!` },
      deletionAt: 0,
      eventDays: 400,
      differs: true,
    }),
  leaving: (text) =>
    renderLeaving({
      view: viewed(text),
      csrf: text,
      owner: { username: text, name: `${text}!` },
      deletionAt: 0,
    }),
  sessions: (text) =>
    renderSessions({
      view: viewed(text),
      csrf: text,
      owner: { username: text, name: `${text}!` },
      notice: text,
      next: text,
      sessions: [
        {
          handle: text as SessionHandle,
          program: text,
          system: text,
          network: text,
          methods: [],
          startedAt: 0,
          seenAt: 0,
          isThis: false,
          isHere: true,
        },
      ],
    }),
  picture: (text) =>
    renderPicture({
      view: viewed(text),
      csrf: text,
      owner: { username: text, name: `${text}!` },
      isRefused: true,
    }),
  events: (text) =>
    renderEvents({
      view: viewed(text),
      csrf: text,
      owner: { username: text, name: `${text}!` },
      events: (['authorization.approved', 'factor.added', text as never] as const).map((type) => ({
        type,
        at: 0,
        by: { who: 'client' as const, name: text },
        clientName: text,
        parentName: text,
        what: text,
        refused: text,
        expiresAt: 0,
        askedAt: null,
        unusedDays: null,
        sessions: 1,
        factor: text,
        isUsed: false,
        isNewBrowser: false,
        id: text as EventId,
        passkey: text,
        methods: [text],
        program: text,
        system: text,
        change: changeOf(text),
        network: text,
      })),
      kind: null,
      days: 1,
      next: text,
    }),
  password: (text) =>
    renderPassword({
      view: viewed(text),
      csrf: text,
      leastCharacters: 15,
      owner: { username: text, name: `${text}!` },
      notice: text,
      problem: { is: 'wrong', typed: text },
      waitSeconds: 5,
    }),
  ledger: (text) =>
    renderLedger({
      view: viewed(text),
      csrf: text,
      owner: { username: text, name: `${text}!` },
      id: text,
      clientName: text,
      clientRegisteredBy: 'itself',
      clientUri: text,
      endedAt: 0,
      now: 0,
      days: 30,
      before: text,
      lines: (['read', 'check'] as const).map((action) => ({
        minute: 0,
        minutes: 1,
        resource: text,
        title: text,
        action,
        allowed: action === 'read',
        network: text,
        target: text,
        item: text,
        uses: 2,
        lastAt: 0,
      })),
      next: text,
      nextFile: text,
    }),
  ended: (text) =>
    renderEnded({
      view: viewed(text),
      csrf: text,
      owner: { username: text, name: `${text}!` },
      now: 0,
      accesses: [
        {
          id: text,
          clientName: text,
          parentClientName: text,
          clientRegisteredBy: 'operator',
          logoPath: null,
          could: text,
          endedAt: 0,
        },
      ],
      next: text,
    }),
  error: (text) =>
    renderError({
      view: viewed(text),
      title: 'not_found',
      happened: 'unknown_client',
      who: 'developer',
      advice: 'tellDeveloper',
      details: {
        by: 'developer',
        received: [text],
        expected: { is: 'oneOf', values: [`${text}?`, text] },
        remedies: [{ say: 'sendExactly' }, { say: 'registerToo' }],
        command: { text, asOperator: true },
        tokenCommand: text,
      },
    }),
  operator: (text) =>
    renderOperator({ view: viewed(text), csrf: text, until: null, isRefused: true }),
  home: (text) => renderHome({ view: viewed(text), isOpen: true }),
  tour: (text) =>
    renderTour({
      view: viewed(text),
      issuer: text,
      owners: [{ username: text, password: text }],
      clients: [{ id: text, name: text, secret: text, grantTypes: [text], redirectUris: [text] }],
      curl: text,
      flows: ['code'],
      attacks: 1,
    }),
  'callback-code': (text) => callback(text, { kind: 'code', exchange: text }),
  'callback-error': (text) => callback(text, { kind: 'error', error: text, description: text }),
  'callback-fragment': (text) => callback(text, { kind: 'fragment' }),
  resume: (text) =>
    renderResume({
      view: viewed(text),
      csrf: text,
      journey: text,
      clientName: text,
      clientRegisteredBy: 'itself',
      clientUri: text,
      owner: { username: text, name: `${text}!` },
      pause: { at: 0, by: 'owner', unusedDays: null },
      redirectHost: text,
    }),
  logout: (text) =>
    renderLogout({ view: viewed(text), csrf: text, clientName: text, request: text }),
}

const polyglots = [
  '"><svg onload=alert(1)>',
  "' onfocus='alert(1)' autofocus x='",
  "'-alert(1)-'",
  '</title><script>alert(1)</script>',
  '</textarea></code></form><form action=https://evil.example>',
  '<img src=//evil.example/x>',
  '{{7*7}}\x24{7*7}<%= 7*7 %>',
  'javascript:alert(1)//"><a href=javascript:alert(1)>',
  '&quot;&gt;<b>&#60;i&#62;',
  '<!--',
  '\u0000<\u0000script>',
  ']]><math><mtext></form>',
]

const shape = (page: string): readonly unknown[] =>
  tagsOf(page).map(({ name, attributes }) => [name, ...Object.keys(attributes)])

const ownScripts: readonly string[] = [
  '/assets/playground.js',
  '/assets/passwords.js',
  '/assets/consent.js',
  '/assets/form-post.js',
  '/assets/account.js',
]

for (const [name, render] of Object.entries(pages)) {
  test(`${name}: hostile text stays text`, () => {
    const expected = shape(render('harmless'))
    for (const polyglot of polyglots) {
      const page = render(polyglot)
      assert.deepEqual(shape(page), expected, polyglot)
      assert.equal(page.match(/<(?![a-z/!])|<!(?!doctype html>)/i), null, polyglot)
    }
  })

  test(`${name}: nothing inline, nothing foreign, no link to what came in`, () => {
    const page = render('https://evil.example/x')
    const tags = tagsOf(page)
    assert.deepEqual(
      tags
        .filter((tag) => ['script', 'style', 'img', 'iframe', 'base'].includes(tag.name))
        .filter(({ attributes }) => !ownScripts.includes(String(attributes.src))),
      [],
    )
    assert.deepEqual(
      tags
        .flatMap((tag) => Object.keys(tag.attributes))
        .filter((key) => /^(style|on.*)$/.test(key)),
      [],
    )
    assert.deepEqual(
      tags
        .flatMap(({ attributes: of }) => [of.href, of.action, of.src, of.formaction])
        .filter((uri) => uri !== undefined && !/^(\/(?!\/)|#main$)/.test(uri)),
      [],
    )
  })
}

test('login: the link to where passkeys work stays one, whatever the request holds', () => {
  const shown = (query: string): readonly unknown[] => {
    const elsewhere = `http://localhost:6749/authorize?state=${query}`
    return shape(renderLogin({ view: english, csrf: 'c', journey: 'j', elsewhere }))
  }
  for (const polyglot of polyglots) assert.deepEqual(shown(polyglot), shown('xyz'), polyglot)
})

test('a template code is shown as it came, not worked out', () => {
  const brand = { ...english.brand, name: '{{7*7}}\x24{7*7}' }
  assert.match(renderHome({ view: { ...english, brand }, isOpen: false }), /\{\{7\*7\}\}\$\{7\*7\}/)
})
