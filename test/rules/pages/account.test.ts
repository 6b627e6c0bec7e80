/** The list of applications: its lines, its tools and its one form. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApplicationRow } from '../../../src/rooms/account/applications/list.ts'
import { type AccountPage, renderAccount } from '../../../src/rooms/account/applications/page.ts'
import { english } from '../../support/view.ts'
import { buttonsOf, sentBy, tagsOf, textOf } from './reading.ts'

const now = 1_700_000_000
const day = 86_400

const row: ApplicationRow = {
  id: 'older',
  clientName: 'Printer',
  clientRegisteredBy: 'operator',
  logoPath: null,
  what: 'See, change and delete photos',
  isDestructive: false,
  isPaused: false,
  clientDisabled: false,
  installations: 1,
  branches: [],
  duration: 'forever',
  expiresAt: null,
  createdAt: now - 5000,
  lastUsedAt: now - 130,
}

const render = (applications: readonly ApplicationRow[], given: Partial<AccountPage> = {}) =>
  renderAccount({
    view: english,
    csrf: 'the-csrf',
    owner: { username: 'alice', name: 'Alice' },
    place: { q: '', show: 'all', order: 'used', page: 1 },
    applications,
    counts: { all: applications.length, unused: 0, destructive: 0, ending: 0, paused: 0 },
    found: applications.length,
    first: 1,
    pages: 1,
    now,
    ...given,
  })

const lineOf = (of: Partial<ApplicationRow>): string =>
  textOf(/<ul class="rows apps">[\s\S]*?<\/ul>/.exec(render([{ ...row, ...of }]))?.[0] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()

test('a line says who, what, when it was used last, and when it ends', () => {
  assert.equal(
    lineOf({}),
    'Select Printer P Printer See, change and delete photos Last use: 2 min ago',
  )
  assert.equal(
    lineOf({ lastUsedAt: null, expiresAt: now + 3 * day, isDestructive: true }),
    'Select Printer P Printer Hard to undo: See, change and delete photos Never used Ends Friday',
  )
  assert.match(lineOf({ duration: 'session', expiresAt: now + 60 }), /Ends when you log out$/)
  assert.match(
    lineOf({
      isPaused: true,
      installations: 12,
      allowedBy: { id: 'a', issuer: 'b', title: 'Acme' },
    }),
    /Printer Allowed by Acme · 12 installations · See.* Paused$/,
  )
})

test('a time within a day is told by how far away it is, another one by its day', () => {
  const used = (seconds: number) =>
    /data-as="when"><time datetime="[^"]+">([^<]*)/.exec(
      render([{ ...row, lastUsedAt: now - seconds }]),
    )?.[1]
  assert.deepEqual([-3, 59, 60, 3599, 7200, day, 6 * day, 7 * day].map(used), [
    'in 1 min',
    'just now',
    '1 min ago',
    '59 min ago',
    '2 hours ago',
    'yesterday',
    'Wednesday',
    '7 Nov',
  ])
})

test('what was not used for 30 days, or ends within 7, is marked', () => {
  const marked = (of: Partial<ApplicationRow>) =>
    tagsOf(render([{ ...row, ...of }])).flatMap(({ attributes: { class: look = '' } }) =>
      /^(used|ends)\b.* warn/.test(look) ? [look] : [],
    )
  assert.deepEqual(marked({ lastUsedAt: now - 30 * day + 1 }), [])
  assert.deepEqual(marked({ lastUsedAt: now - 30 * day }), ['used warn'])
  assert.deepEqual(marked({ lastUsedAt: null, createdAt: now - 31 * day }), ['used warn'])
  assert.deepEqual(marked({ expiresAt: now + 7 * day - 1 }), ['ends warn'])
  assert.deepEqual(marked({ expiresAt: now + 7 * day }), [])
  assert.deepEqual(marked({ expiresAt: now + 60, duration: 'session' }), [])
})

test('the line is a link, its box selects it, and one button ends what is selected', () => {
  const html = render([row, { ...row, id: 'other' }])
  const links = tagsOf(html).flatMap(({ attributes: { href } }) => href ?? [])
  assert.deepEqual(
    links.filter((href) => href.startsWith('/account/access/')),
    ['/account/access/older', '/account/access/other'],
  )
  assert.deepEqual(sentBy(html, 1), [['csrf', 'the-csrf']])
  assert.deepEqual(
    tagsOf(html).flatMap(({ attributes: of }) =>
      of.type === 'checkbox' && of.name ? [[of.name, of.value]] : [],
    ),
    [
      ['access', 'older'],
      ['access', 'other'],
    ],
  )
  assert.deepEqual(buttonsOf(html).at(-1), ['action', 'end-selected'])
})

test('its forms and links keep the place of the list and the language that was asked for', () => {
  const html = render([row], {
    view: { ...english, carried: 'ui_locales=en' },
    place: { q: 'a&b', show: 'unused', order: 'name', page: 2 },
    found: 120,
    first: 51,
    pages: 3,
  })
  const kept = 'q=a%26b&amp;show=unused&amp;order=name'
  assert.ok(html.includes(`method="post" action="/account?${kept}&amp;page=2&amp;ui_locales=en"`))
  assert.ok(html.includes(`href="/account?${kept}&amp;ui_locales=en">Previous`))
  assert.ok(html.includes(`href="/account?${kept}&amp;page=3&amp;ui_locales=en">Next`))
  assert.deepEqual(sentBy(html, 1), [
    ['show', 'unused'],
    ['order', 'name'],
    ['ui_locales', 'en'],
    ['q', 'a&b'],
  ])
  assert.ok(html.includes(`href="/account?show=unused&amp;order=name&amp;ui_locales=en"`))
  assert.ok(html.includes(`href="/account?q=a%26b&amp;show=unused&amp;ui_locales=en">By last use`))
  assert.match(textOf(html), /51 to 51 of 120/)
})

test('says so where there is nothing, and where nothing matches', () => {
  assert.match(
    textOf(render([])),
    /No application has access to your account Welcome, Alice \. When you allow/,
  )
  const none = render([], {
    place: { q: 'x', show: 'all', order: 'used', page: 1 },
    counts: { all: 2, unused: 0, destructive: 0, ending: 0, paused: 0 },
  })
  assert.match(textOf(none), /2 applications can use your account .*No application matches\./)
})

test('a long list has groups, of which the last is folded, and filters that leave something', () => {
  const ages = [60, 2 * day, 8 * day, 31 * day, null, null]
  const rows = ages.map((age, i) => ({
    ...row,
    id: `id${i}`,
    clientName: `App ${i}`,
    createdAt: now - (i === 5 ? 40 * day : day),
    lastUsedAt: age === null ? null : now - age,
  }))
  const counts = { all: 12, unused: 2, destructive: 3, ending: 0, paused: 1 }
  const html = render(rows, { counts })
  const text = textOf(html).replaceAll(/\s+/g, ' ')
  assert.match(
    text,
    /Used today By name By age .* App 0 .*This week .* App 1 .*Earlier .* App 2 .*Not used yet .* App 4 .*2 not used for a month App 3 , App 5 .* App 3 .* App 5/,
  )
  assert.match(text, /All 12 Can delete or spend 3 Paused 1 Ended access/)
  assert.doesNotMatch(html, /tag bad|<button type="submit">(?!.*Log out)Apply/)
  const asked = { counts, place: { q: '', show: 'unused', order: 'used', page: 1 } } as const
  assert.doesNotMatch(render(rows, asked), /<details class="sleeps"/)
})
