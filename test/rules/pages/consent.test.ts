import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConsentCell, type ConsentPage, renderConsent } from '../../../src/pages/consent.ts'
import { english } from '../../support/view.ts'
import { buttonsOf, sentBy, tagsOf, textOf } from './reading.ts'

const cell = (permission: string, change: Partial<ConsentCell> = {}): ConsentCell => ({
  permission,
  text: `Words for ${permission}`,
  asked: true,
  required: false,
  allowedBefore: null,
  settled: false,
  ...change,
})

const lasting = { duration: 'forever', expiresAt: null } as const

const page: ConsentPage = {
  view: english,
  csrf: 'the-csrf',
  journey: 'the journey/&',
  requester: 'the-requester',
  change: null,
  client: {
    name: 'Printer',
    uri: null,
    logoPath: null,
    reason: null,
    selfRegistered: false,
    registeredAt: 1_700_000_000,
  },
  about: [],
  beyond: { reach: ['Calendar'], see: [], change: ['Contacts'], know: [] },
  leftOut: '',
  redirectHost: 'printer.example:8443',
  opensApplication: false,
  owner: { username: 'alice', name: 'Alice' },
  rows: [
    {
      resource: 'photos',
      title: 'Photos',
      read: cell('photos:read', { required: true }),
      write: cell('photos:write'),
    },
    {
      resource: 'contacts',
      title: 'Contacts',
      read: cell('contacts:read', { asked: false, allowedBefore: lasting }),
      write: null,
    },
  ],
}

test('an untouched form sends what was asked, required ones too, and forever', () => {
  assert.deepEqual(sentBy(renderConsent(page)), [
    ['csrf', 'the-csrf'],
    ['journey', 'the journey/&'],
    ['requester', 'the-requester'],
    ['permission', 'photos:read'],
    ['permission', 'photos:write'],
    ['duration', 'forever'],
  ])
})

test('a required permission is ticked, cannot be unticked, and says so', () => {
  const boxes = tagsOf(renderConsent(page)).filter((tag) => tag.attributes.type === 'checkbox')
  assert.deepEqual(
    boxes.map(({ attributes: of }) => [of.value, 'checked' in of, 'disabled' in of]),
    [
      ['photos:read', true, true],
      ['photos:write', true, false],
    ],
  )
  assert.match(textOf(renderConsent(page)), /Words for photos:read required/)
})

test('what is not asked has no box; what was allowed before is told', () => {
  const text = textOf(renderConsent(page))
  assert.match(text, /Contacts Words for contacts:read allowed before Not asked for/)
})

test('what was allowed before says when that ends, and stays open to be unticked', () => {
  const rowOf = (allowedBefore: ConsentCell['allowedBefore'], settled = false) =>
    renderConsent({
      ...page,
      rows: [
        {
          resource: 'photos',
          title: 'Photos',
          read: cell('photos:read', { allowedBefore, settled }),
          write: cell('photos:write'),
        },
      ],
    })
  const day = rowOf({ duration: 'day', expiresAt: 1_700_000_000 })
  const visit = rowOf({ duration: 'session', expiresAt: 1_700_000_000 })
  const settled = rowOf(lasting, true)
  assert.match(textOf(day), /allowed before, until 14 November 2023, 22:13 UTC/)
  assert.match(textOf(visit), /allowed before, until you log out/)
  for (const html of [day, visit]) assert.match(textOf(html), /Decide about all of it/)
  assert.match(textOf(settled), /goes along; decide about the rest/)
  const fixed = (html: string) =>
    tagsOf(html).filter(({ attributes: of }) => of.type === 'checkbox' && 'disabled' in of).length
  assert.deepEqual([day, visit, settled].map(fixed), [0, 0, 1])
  const sent = sentBy(settled).filter(([, value]) => value === 'photos:read')
  assert.deepEqual(sent, [['settled', 'photos:read']])
})

test('four durations are offered, one is chosen', () => {
  const radios = (html: string) =>
    tagsOf(html)
      .filter((tag) => tag.attributes.type === 'radio')
      .map(({ attributes: of }) => [of.name, of.value, 'checked' in of])
  assert.deepEqual(radios(renderConsent(page)), [
    ['duration', 'session', false],
    ['duration', 'day', false],
    ['duration', 'month', false],
    ['duration', 'forever', true],
  ])
  assert.deepEqual(
    radios(renderConsent({ ...page, durations: ['session', 'day'], duration: 'day' })),
    [
      ['duration', 'session', false],
      ['duration', 'day', true],
    ],
  )
})

test('allow and deny are buttons alike, side by side (UI-18)', () => {
  const html = renderConsent(page)
  const buttons = tagsOf(html).filter((tag) => tag.name === 'button' && tag.attributes.name)
  assert.deepEqual(buttonsOf(html), [
    // Enter in a field presses this one, and nothing happens.
    ['', ''],
    ['decision', 'allow'],
    ['decision', 'deny'],
  ])
  assert.deepEqual(
    buttons.map(({ attributes: { value, ...rest } }) => rest),
    [
      { type: 'submit', name: 'decision' },
      { type: 'submit', name: 'decision' },
    ],
  )
})

test('shows who asks, where the answer goes and whose account it is (UI-14)', () => {
  const html = renderConsent(page)
  assert.match(html, /<h1><bdi class="name">Printer<\/bdi> asks for access/)
  assert.match(textOf(html), /you will be sent to printer\.example:8443/)
  assert.match(textOf(html), /logged in as Alice \( alice \)/)
  assert.match(html, /href="\/login\?journey=the\+journey%2F%26&amp;switch=1"/)
  assert.doesNotMatch(html, /Unverified/)
})

test('an application that registered itself is called unverified and gets no link', () => {
  const client = { ...page.client, uri: 'https://bank.example/', selfRegistered: true }
  const html = renderConsent({ ...page, client })
  assert.match(textOf(html), /Unverified\. This application registered itself on 14 November 2023/)
  assert.doesNotMatch(html, /href="https:/)
})

test('nothing that strangers chose is so long that it pushes the table away', () => {
  const uri = `https://bank.example/${'a'.repeat(2000)}`
  const client = { ...page.client, uri, selfRegistered: true }
  const host = `${'a.'.repeat(1000)}evil.example`
  const text = textOf(renderConsent({ ...page, client, redirectHost: host }))
  assert.match(text, /It says that its page is at bank\.example \./)
  assert.match(text, /you will be sent to (a\.){20}…[a.]+\.evil\.example \./)
  assert.match(
    textOf(renderConsent({ ...page, client: { ...client, uri: `https://${host}` } })),
    /…/,
  )
  const words = text.split(' ').map(({ length }) => length)
  assert.ok(Math.max(...words) <= 80, text)
})

test('what it will not be able to do names what it can change but not see', () => {
  const beyond = { reach: [], see: ['Photos', 'Contacts'], change: ['Calendar'], know: [] }
  const text = textOf(renderConsent({ ...page, beyond }))
  assert.match(
    text,
    /see your password see anything in: Photos, Contacts change anything in: Calendar/,
  )
  assert.doesNotMatch(text, /reach anything else/)
})

test('what stays ticked bounds what is asked for now, and not what was allowed before', () => {
  assert.match(textOf(renderConsent(page)), /Of this request it gets only what stays ticked/)
})

test('the page of a known application is linked only if it is a web page', () => {
  const linked = (uri: string) =>
    tagsOf(renderConsent({ ...page, client: { ...page.client, uri } }))
      .map(({ attributes }) => attributes.href)
      .filter((href) => href?.includes(':'))
  assert.deepEqual(linked('https://printer.example/about'), ['https://printer.example/about'])
  assert.deepEqual(linked('javascript:alert(1)'), [])
})

test('lives under the path of the issuer', () => {
  const html = renderConsent({ ...page, view: { ...english, base: '/id' } })
  const uris = tagsOf(html).flatMap(({ attributes: of }) => [of.href, of.action])
  assert.deepEqual(
    uris.filter((uri) => uri !== undefined && !uri.startsWith('/id/')),
    [],
  )
})

test('a page that asks anew says why before all else, and only then', () => {
  const html = renderConsent({ ...page, problem: 'unsettled' })
  assert.match(
    textOf(html),
    /Please decide once more.* earlier permission of Printer was taken back/,
  )
  const alerts = (of: string) => tagsOf(of).filter(({ attributes }) => attributes.role === 'alert')
  assert.deepEqual([alerts(renderConsent(page)).length, alerts(html).length], [0, 1])
  assert.ok(html.indexOf('role="alert"') < html.indexOf('<form'))
})

test('a metadata document is shown by its host, which a long one does not hide', () => {
  const documentHost = `bank.example.${'a'.repeat(200)}.evil.example`
  const of = (isLocal: boolean): string =>
    renderConsent({
      ...page,
      client: { ...page.client, selfRegistered: true, documentHost, isLocal },
    })
  for (const html of [of(true), of(false)]) {
    assert.match(html, /<strong><code>bank\.example\.a+…a+\.evil\.example<\/code><\/strong>/)
    assert.match(html, /First seen here on <time/)
    assert.doesNotMatch(html, /registered itself/)
  }
  const warning = /Any program on your computer can claim to be this application/
  assert.match(of(true), warning)
  assert.doesNotMatch(of(false), warning)
})
