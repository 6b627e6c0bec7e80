/** The page of one application: its form, its notices, and who it says it is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuthorizationId } from '../../../src/model/ids.ts'
import { renderAccess } from '../../../src/rooms/account/access/page.ts'
import type { AccessPage } from '../../../src/rooms/account/access/shown.ts'
import { english } from '../../support/view.ts'
import { buttonsOf, sentBy, tagsOf, textOf } from './reading.ts'

const now = 1_700_000_000

const page: AccessPage = {
  view: english,
  csrf: 'the-csrf',
  owner: { username: 'alice', name: 'Alice' },
  id: 'one',
  clientId: 'printer',
  clientName: 'Printer',
  approvedName: 'Printer',
  parentId: null,
  parentClientName: null,
  clientRegisteredBy: 'operator',
  clientUri: null,
  clientDisabled: false,
  logoPath: null,
  registration: { createdAt: now - 9_000_000, policyUri: null, termsUri: null },
  paused: null,
  rows: [
    {
      resource: 'photos',
      title: 'Photos',
      read: { permission: 'photos:read', text: 'See your photos' },
      write: { permission: 'photos:write', text: 'Change your photos', isDestructive: true },
    },
  ],
  about: [],
  duration: 'forever',
  createdAt: now - 5000,
  expiresAt: null,
  lastUsedAt: now - 130,
  lastDay: '',
  days: { first: '2023-11-14', last: '2033-11-11' },
  badEnd: null,
  others: [],
  installations: 1,
  branches: [],
  now,
  drawnDays: 30,
  counted: [],
  uses: [],
}
const other = { id: 'two', createdAt: now - 60, lastUsedAt: null }
const render = (change: Partial<AccessPage> = {}): string => renderAccess({ ...page, ...change })

test('one form with the permissions, the end date, pause and the end, and one to log out', () => {
  const html = render({ lastDay: '2023-11-20', expiresAt: 1_700_524_799 })
  assert.deepEqual(
    [0, 1, 2].map((form) => sentBy(html, form)),
    [
      [['csrf', 'the-csrf']],
      [
        ['csrf', 'the-csrf'],
        ['authorization', 'one'],
        ['shown', 'photos:read photos:write'],
        ['shown-details', 'none'],
        ['permission', 'photos:read'],
        ['permission', 'photos:write'],
        ['until', 'date'],
        ['date', '2023-11-20'],
      ],
      [],
    ],
  )
  assert.deepEqual(
    tagsOf(html)
      .filter((tag) => tag.name === 'form')
      .map(({ attributes: of }) => [of.method, of.action]),
    [
      ['post', '/logout'],
      ['post', '/account'],
    ],
  )
  assert.deepEqual(buttonsOf(html), [
    ['', ''],
    // Enter in a field presses this one, and nothing happens.
    ['', ''],
    ['action', 'pause'],
    ['action', 'end'],
    ['action', 'narrow'],
    ['action', 'until'],
  ])
})

test('a paused one says who paused it, when and why, and offers to resume', () => {
  const paused = (by: 'owner' | 'operator' | 'service', unusedDays: number | null) =>
    render({ paused: { at: now - 60, by, unusedDays } })
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

test('one of several leads to the others, ends by itself, and can be ended with them', () => {
  const buttons = (change: Partial<AccessPage>) => buttonsOf(render(change)).slice(4)
  const several = { others: [other] }
  assert.deepEqual(buttons(several), [
    ['action', 'narrow'],
    ['action', 'until'],
    ['', ''],
    ['action', 'end-every'],
  ])
  const html = render(several)
  assert.match(textOf(html), /Other access of Printer Since 1 min ago never used/)
  assert.ok(html.includes('<a href="/account/access/two">'))
  assert.deepEqual(sentBy(html, 2), [
    ['csrf', 'the-csrf'],
    ['authorization', 'one'],
    ['client', 'printer'],
  ])
  const alike = { ...several, installations: 2 }
  assert.match(textOf(render(alike)), /2 installations have access .* End access of all 2/)
  assert.deepEqual(buttons(alike).at(-1), ['action', 'end-installations'])
})

test('the present end is chosen: none, or a day in its field', () => {
  const chosen = (change: Partial<AccessPage>) =>
    sentBy(render(change), 1).filter(([name]) => name === 'until' || name === 'date')
  assert.deepEqual(chosen({}), [
    ['until', 'forever'],
    ['date', ''],
  ])
  assert.deepEqual(chosen({ duration: 'session', lastDay: '2023-11-15', expiresAt: now + 3600 }), [
    ['until', 'date'],
    ['date', '2023-11-15'],
  ])
})

test('an end says three facts before the button that does it', () => {
  const facts = (change: Partial<AccessPage> = {}) =>
    /It can do nothing more.*End access now/.exec(textOf(render(change)))?.[0]
  const rest =
    'It keeps what it copied Ask Printer to delete that. It must ask you again There is no undo. To stop it for a while, pause it. End access now'
  assert.equal(facts(), `It can do nothing more, at once Nor by what it was given before. ${rest}`)
  const branch = {
    ...page,
    id: 'three' as AuthorizationId,
    clientName: 'Helper',
    parentClientName: 'Printer',
    below: [],
  }
  const branches = [branch, { ...branch, clientName: 'Archive' }]
  assert.equal(
    facts({ branches }),
    `It can do nothing more, at once Nor can Helper , Archive , which act for it. ${rest}`,
  )
})

test('an end is a day of UTC; one that cannot be is told of, with what was typed', () => {
  assert.match(textOf(render()), /Last day \(UTC\)/)
  const html = render({ badEnd: '2020-01-01' })
  assert.match(
    textOf(html),
    /Choose a day from today on, within ten years\. Days begin and end by UTC, where today is 14 November 2023\./,
  )
  const [date] = tagsOf(html).filter(({ attributes: of }) => of.type === 'date')
  const { value, 'aria-describedby': by } = date?.attributes ?? {}
  assert.deepEqual(
    [value, by, 'autofocus' in (date?.attributes ?? {})],
    ['2020-01-01', 'problem', true],
  )
  const open = tagsOf(html).filter(({ name, attributes: of }) => name === 'details' && 'open' in of)
  assert.deepEqual(
    open.map(({ attributes: of }) => of.class),
    ['end'],
  )
})

test('what was saved is told by what the application lost', () => {
  const said = (change: Partial<AccessPage>) =>
    /role="status">(.*?)<\/p>/.exec(render(change))?.[1]?.replaceAll(/<[^>]*>/g, '')
  const lost = ['Change your photos', 'See your contacts']
  assert.equal(
    said({ done: { what: 'narrowed', lost } }),
    'Saved. Printer can no longer do this: Change your photos; See your contacts. It must ask you again.',
  )
  assert.equal(
    said({ done: { what: 'narrowed', lost: [] }, others: [other] }),
    'Saved. Nothing has changed.',
  )
  assert.equal(
    said({ done: { what: 'until', lost: [] }, others: [other] }),
    'The access of Printer has no end date now. The other access is as it was.',
  )
  assert.equal(
    said({ done: { what: 'until', lost: [] }, expiresAt: now + 3 * 86_400 }),
    'The access of Printer now ends Friday.',
  )
  assert.equal(
    said({ done: { what: 'paused', lost: [] } }),
    'Printer is paused. It can do nothing until you resume it.',
  )
})

test('a receipt offers to undo what a form can take back', () => {
  const undo = (done: NonNullable<AccessPage['done']>) => {
    const html = render({ done })
    return html.includes('>Undo<') ? sentBy(html, 1) : null
  }
  const lost: readonly string[] = []
  const form = (...fields: readonly (readonly [string, string])[]) => [
    ['csrf', 'the-csrf'],
    ['authorization', 'one'],
    ...fields,
  ]
  assert.deepEqual(undo({ what: 'paused', lost }), form(['action', 'resume']))
  assert.deepEqual(undo({ what: 'resumed', lost }), form(['action', 'pause']))
  assert.deepEqual(
    undo({ what: 'until', lost, before: 'forever' }),
    form(['action', 'until'], ['until', 'forever']),
  )
  assert.deepEqual(
    undo({ what: 'until', lost, before: '2023-11-20' }),
    form(['action', 'until'], ['until', 'date'], ['date', '2023-11-20']),
  )
  assert.equal(undo({ what: 'until', lost, before: '' }), null)
  assert.equal(undo({ what: 'narrowed', lost: ['See your photos'] }), null)
})

test('an application says who it is: its page by the host, and that nobody checked a stranger', () => {
  const clientUri = 'https://printer.example/log-in?now'
  const known = render({ clientUri })
  assert.match(textOf(known), /Printer Its page: printer\.example /)
  assert.doesNotMatch(textOf(known), /Nobody has checked|disabled/)
  const policyUri = 'https://printer.example/privacy'
  const registration = { ...page.registration, policyUri }
  assert.ok(render({ registration }).includes(`<a href="${policyUri}"`))
  const stranger = { clientRegisteredBy: 'itself', registration } as const
  const shown = render({ ...stranger, clientUri })
  assert.match(
    textOf(shown),
    /Nobody has checked this application\. It registered itself\. Its name may be false\. It says that its page is at printer\.example \./,
  )
  assert.equal(shown.includes('href="https:'), false)
  assert.doesNotMatch(textOf(render(stranger)), /page is at/)
})

test('a disabled application is said to be, with its access still to be ended', () => {
  const html = render({ clientDisabled: true })
  assert.match(textOf(html), /has disabled Printer \. It can do nothing/)
  assert.ok(buttonsOf(html).some(([, value]) => value === 'end'))
})

test('times are for people and for programs', () => {
  assert.match(
    render(),
    /last used <span data-as="when"><time datetime="2023-11-14T22:11:10Z">2 min ago</,
  )
  assert.match(
    textOf(render({ lastUsedAt: null })),
    /Since 1 hour ago · never used .* Until No end date/,
  )
  assert.match(
    textOf(render({ duration: 'session', expiresAt: now + 3600 })),
    /Until When you log out, at the latest 14 November 2023, 23:13 UTC/,
  )
})
