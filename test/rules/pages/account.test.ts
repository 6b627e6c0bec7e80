import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AccountPage, renderAccount } from '../../../src/pages/account.ts'
import type { AccountAuthorization } from '../../../src/pages/application-card.ts'
import { english } from '../../support/view.ts'
import { buttonsOf, sentBy, tagsOf, textOf } from './reading.ts'

const owner = { username: 'alice', name: 'Alice' }
const now = 1_700_000_000

const authorization: AccountAuthorization = {
  id: 'older',
  clientId: 'printer',
  hasOthers: false,
  clientName: 'Printer',
  clientRegisteredBy: 'operator',
  clientUri: null,
  clientDisabled: false,
  paused: null,
  rows: [
    {
      resource: 'photos',
      title: 'Photos',
      read: { permission: 'photos:read', text: 'See your photos' },
      write: { permission: 'photos:write', text: 'Change your photos' },
    },
  ],
  about: [],
  duration: 'forever',
  createdAt: now - 5000,
  expiresAt: null,
  lastDay: '',
  lastUsedAt: now - 130,
  counted: [],
}
const newer: AccountAuthorization = {
  ...authorization,
  id: 'newer',
  duration: 'session',
  createdAt: now - 10,
  expiresAt: now + 3600,
  lastDay: '2023-11-14',
  lastUsedAt: null,
}
const days = { first: '2023-11-14', last: '2033-11-11' }
const render = (
  authorizations: readonly AccountAuthorization[],
  given: Partial<Pick<AccountPage, 'after' | 'badEnd'>> = {},
) => {
  const all = {
    view: english,
    csrf: 'the-csrf',
    owner,
    now,
    days,
    drawnDays: 30,
    after: '',
    badEnd: null,
  }
  return renderAccount({ ...all, authorizations, ...given })
}

test('one form for each authorization, in their order, and one to log out', () => {
  const html = render([newer, authorization])
  const sent = (id: string, lastDay: string) => [
    ['csrf', 'the-csrf'],
    ['authorization', id],
    ['shown', 'photos:read photos:write'],
    ['permission', 'photos:read'],
    ['permission', 'photos:write'],
    ['until', 'date'],
    ['date', lastDay],
  ]
  assert.deepEqual(
    [0, 1, 2, 3].map((form) => sentBy(html, form)),
    [[['csrf', 'the-csrf']], sent('newer', '2023-11-14'), sent('older', ''), []],
  )
  assert.deepEqual(
    tagsOf(html)
      .filter((tag) => tag.name === 'form')
      .map(({ attributes: of }) => [of.method, of.action]),
    [
      ['post', '/logout'],
      ['post', '/account'],
      ['post', '/account'],
    ],
  )
})

test('each has buttons to narrow, to set another end, and to end', () => {
  assert.deepEqual(buttonsOf(render([authorization])), [
    ['', ''],
    // Enter in a field presses this one, and nothing happens.
    ['', ''],
    ['action', 'narrow'],
    ['action', 'until'],
    ['action', 'pause'],
    ['action', 'end'],
  ])
})

test('a paused one says who paused it, when and why, and offers to resume', () => {
  const paused = (by: 'owner' | 'operator' | 'service', unusedDays: number | null) =>
    render([{ ...authorization, paused: { at: now - 60, by, unusedDays } }])
  const values = buttonsOf(paused('owner', null)).map(([, value]) => value)
  assert.ok(values.includes('resume') && !values.includes('pause'))
  const effect =
    'While it is paused, Printer can do nothing. It keeps its permissions, and their end comes as before.'
  const said = (html: string) =>
    /(?:You paused|The operator of this service paused|Printer was paused).*?as before\./.exec(
      textOf(html),
    )?.[0]
  const when = /on (.*?)\./.exec(said(paused('owner', null)) ?? '')?.[1]
  assert.ok(when)
  assert.equal(said(paused('owner', null)), `You paused Printer on ${when}. ${effect}`)
  assert.equal(
    said(paused('operator', null)),
    `The operator of this service paused Printer on ${when}. ${effect}`,
  )
  assert.equal(
    said(paused('service', 90)),
    `Printer was paused on ${when}. The reason: it was not used for 90 days. ${effect}`,
  )
})

test('one of several says so, ends by itself, and can be ended with the others', () => {
  const html = render([{ ...authorization, hasOthers: true }])
  assert.deepEqual(
    buttonsOf(html)
      .slice(4)
      .map(([, value]) => value),
    ['pause', 'end', 'end-every'],
  )
  const text = textOf(html)
  assert.match(text, /Printer has another access, on a card of its own/)
  assert.match(text, /End this access of Printer End every access of Printer/)
  assert.ok(sentBy(html, 1).some(([name, value]) => name === 'client' && value === 'printer'))
  assert.match(textOf(render([authorization])), /End all access of Printer/)
})

test('a form of a further page leads back to that page', () => {
  const forms = tagsOf(render([authorization], { after: 'the key' }))
    .filter((tag) => tag.name === 'form')
    .map(({ attributes: of }) => of.action)
  assert.deepEqual(forms, ['/logout', '/account?after=the+key'])
})

test('an end is a day of UTC, and one that cannot be is told of on its card, with what was typed', () => {
  assert.match(textOf(render([authorization])), /Last day \(UTC\)/)
  const shown = (id: string) => {
    const html = render([newer, authorization], { badEnd: { id, day: '2020-01-01' } })
    const dates = tagsOf(html).filter(({ attributes: of }) => of.type === 'date')
    const open = tagsOf(html).filter(({ attributes: of }) => of.class === 'more' && 'open' in of)
    assert.match(
      textOf(html),
      /choose a day from today on, within ten years\. Days begin and end by UTC, where today is 14 November 2023\./,
    )
    assert.equal(tagsOf(html).filter(({ attributes: of }) => of.role === 'alert').length, 1)
    return [
      open.length,
      dates.map(({ attributes: of }) => [of.value, of['aria-describedby'], 'autofocus' in of]),
    ]
  }
  const plain = (day: string) => [day, undefined, false]
  const bad = ['2020-01-01', 'problem', true]
  assert.deepEqual(shown('older'), [1, [plain('2023-11-14'), bad]])
  assert.deepEqual(shown('gone'), [0, [plain('2023-11-14'), plain('')]])
})

test('an application says who it is: its page by the host, and that nobody checked a stranger', () => {
  const uri = 'https://printer.example/log-in?now'
  const known = render([{ ...authorization, clientUri: uri }])
  assert.match(textOf(known), /Printer Its page: printer\.example /)
  assert.doesNotMatch(textOf(known), /Unverified|disabled/)
  const stranger: AccountAuthorization = { ...authorization, clientRegisteredBy: 'itself' }
  assert.match(
    textOf(render([{ ...stranger, clientUri: uri }])),
    /Unverified\. This application registered itself\. Nobody here has checked who is behind it or whether its name is true\. It says that its page is at printer\.example \./,
  )
  assert.doesNotMatch(textOf(render([stranger])), /page is at/)
})

test('a disabled application is said to be, with its access still to be ended', () => {
  const html = render([{ ...authorization, clientDisabled: true }])
  assert.match(textOf(html), /has disabled Printer : it can do nothing at the moment/)
  assert.ok(buttonsOf(html).some(([, value]) => value === 'end'))
})

test('times are for people and for programs', () => {
  const html = render([authorization])
  assert.match(
    html,
    /<time datetime="2023-11-14T22:11:10Z">14 November 2023, 22:11 UTC<\/time> \(2 minutes ago\)/,
  )
  assert.match(textOf(html), /Until you take it back/)
})

test('never used, and until logout', () => {
  const text = textOf(render([newer]))
  assert.match(text, /Last used never/)
  assert.match(text, /Until you log out, at the latest 14 November 2023, 23:13 UTC/)
})

test('how long ago', () => {
  const ago = (seconds: number) =>
    /\(([^()]*)\)<\/dd>/.exec(render([{ ...authorization, lastUsedAt: now - seconds }]))?.[1]
  assert.deepEqual([-3, 59, 60, 3599, 7200, 86_400, 40 * 86_400].map(ago), [
    'just now',
    'just now',
    '1 minute ago',
    '59 minutes ago',
    '2 hours ago',
    '1 day ago',
    '40 days ago',
  ])
})

test('says so where there is nothing', () => {
  assert.match(textOf(render([])), /No application may reach your things\./)
})
