import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConsentCell } from '../../../src/rooms/oauth/consent/cells.ts'
import { type ConsentPage, renderConsent } from '../../../src/rooms/oauth/consent/page.ts'
import { chinese, english } from '../../support/view.ts'
import { buttonsOf, exactText, sentBy, tagsOf, textOf } from './reading.ts'

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
  assert.match(textOf(renderConsent(page)), /Words for photos:read Required/)
})

test('what was allowed before and is not asked has no box, and keeps its end', () => {
  const text = textOf(renderConsent(page))
  assert.match(
    text,
    /It may already see your contacts\. That stays, whatever you choose\. For how long/,
  )
})

test('what is new comes first where something was allowed before', () => {
  const photos = { resource: 'photos', title: 'Photos' }
  const read = cell('photos:read', { settled: true, allowedBefore: lasting })
  const write = cell('photos:write')
  const contacts = cell('contacts:read', {
    allowedBefore: { duration: 'session', expiresAt: 1_700_000_000 },
  })
  const html = renderConsent({
    ...page,
    rows: [
      { ...photos, read, write },
      { resource: 'contacts', title: 'Contacts', read: contacts, write: null },
    ],
  })
  assert.match(html, /<h1><bdi class="name">Printer<\/bdi> also wants to change your photos<\/h1>/)
  assert.match(
    textOf(html),
    /New Words for photos:write Asked again Words for contacts:read Already allowed: until you log out It may already see your photos\. That stays/,
  )
  assert.doesNotMatch(textOf(html), /If you deny/)
})

const asksFor = (names: readonly string[], change: Partial<ConsentCell> = {}) =>
  names.map((name) => ({
    resource: name,
    title: name,
    read: cell(`${name}:read`, change),
    write: null,
  }))

const legendsOf = (html: string): readonly string[] =>
  [...html.matchAll(/<legend class="group">([^<]*)</g)].map(([, legend = '']) => legend)

test('from five permissions on, those to see and those to change are groups', () => {
  const names = ['A', 'B', 'C', 'D']
  const four = renderConsent({ ...page, rows: asksFor(names) })
  const change = { resource: 'E', title: 'E', read: null, write: cell('E:write') }
  const five = renderConsent({ ...page, rows: [...asksFor(names), change] })
  assert.deepEqual([legendsOf(four), legendsOf(five)], [[], ['Only see', 'Change and use']])
})

test('of more than three that are hard to undo, one heading is red', () => {
  const of = (...names: readonly string[]) =>
    renderConsent({ ...page, rows: asksFor(names, { harm: 'spend' }) })
  const marksOf = (html: string) => html.match(/<strong class="tag bad">/g)?.length ?? 0
  const red = /<legend class="group red"><svg .*?<\/svg>Hard to undo: these can delete or spend</s
  assert.deepEqual([marksOf(of('A', 'B', 'C')), marksOf(of('A', 'B', 'C', 'D'))], [3, 0])
  assert.doesNotMatch(of('A', 'B', 'C'), red)
  assert.match(of('A', 'B', 'C', 'D'), red)
})

test('the verb of a permission is bold, wherever its language has it', () => {
  const shown = (text: string, view = english): string =>
    /<label class="tick"><input [^>]*><span>(.*?)<\/span>/.exec(
      renderConsent({ ...page, view, rows: asksFor(['A'], { text }) }),
    )?.[1] ?? ''
  assert.deepEqual(
    [shown('See your photos'), shown('Add, change and delete contacts'), shown('Seed your garden')],
    ['<b>See</b> your photos', '<b>Add, change and delete</b> contacts', 'Seed your garden'],
  )
  assert.equal(shown('查看您的照片', chinese), '<b>查看</b>您的照片')
})

test('above six claims, those of a profile are folded', () => {
  const values = 'ABCDEFG'.split('').map((label) => ({ label, value: `${label} of Alice` }))
  const profile = {
    word: 'profile',
    title: 'Profile',
    cell: { ...cell('profile'), values },
  } as const
  const mail = [{ label: 'Email', value: 'a@b.example' }]
  const email = { word: 'email', title: 'Email', cell: { ...cell('email'), values: mail } } as const
  const text = textOf(renderConsent({ ...page, rows: [], about: [profile, email] }))
  assert.match(text, /wants to know 8 facts about you/)
  assert.match(text, /Profile A A of Alice .* E E of Alice 2 more: f and g F F of Alice G G of/)
})

test('the heading names what is asked, and counts the rest', () => {
  const headingOf = (of: Partial<ConsentPage>): string =>
    exactText(/<h1>(.*?)<\/h1>/.exec(renderConsent({ ...page, ...of }))?.[1] ?? '')
  const word = {
    word: 'email',
    title: 'Email address',
    cell: { ...cell('email'), values: [{ label: 'Email', value: 'a@b.example' }] },
  } as const
  assert.deepEqual(
    [
      headingOf({ rows: asksFor(['Photos']) }),
      headingOf({ rows: asksFor(['Photos', 'GitHub Issues', 'Calendar']) }),
      headingOf({ rows: asksFor(['Photos']), about: [word] }),
      headingOf({ rows: asksFor(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I']) }),
      headingOf({ rows: [], about: [word] }),
    ],
    [
      'Printer wants to see your photos',
      'Printer wants to see your photos, GitHub Issues and calendar',
      'Printer wants to see your photos and know your email address',
      'Printer wants to see your A, B, C, D, E, F, G and 2 more',
      'Printer wants to know your email address',
    ],
  )
})

test('what destroys is marked by colour, icon and words', () => {
  const rows = asksFor(['orders'], { harm: 'other' })
  assert.match(
    renderConsent({ ...page, rows }),
    /<li class="destroys"><label class="tick"><input [^>]*><span>Words for orders:read<\/span><strong class="tag bad"><svg .*?<\/svg>Hard to undo<\/strong>/s,
  )
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
  assert.match(textOf(day), /Already allowed: until 14 Nov 2023/)
  assert.match(textOf(visit), /Already allowed: until you log out/)
  for (const html of [day, visit]) assert.match(textOf(html), /Asked again/)
  assert.match(textOf(settled), /It may already see your photos\./)
  const fixed = (html: string) =>
    tagsOf(html).filter(({ attributes: of }) => of.type === 'checkbox' && 'disabled' in of).length
  assert.deepEqual([day, visit, settled].map(fixed), [0, 0, 0])
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
    ['decision', 'deny'],
    ['decision', 'allow'],
  ])
  assert.deepEqual(
    buttons.map(({ attributes: { value, ...rest } }) => rest),
    [
      { class: 'solid', type: 'submit', name: 'decision' },
      { class: 'primary', type: 'submit', name: 'decision' },
    ],
  )
})

test('shows who asks, where the answer goes and whose account it is (UI-14)', () => {
  const html = renderConsent(page)
  assert.match(html, /<h1><bdi class="name">Printer<\/bdi> wants to change your photos<\/h1>/)
  assert.match(textOf(html), /you go back to printer\.example:8443/)
  assert.match(textOf(html), /Logged in as Alice alice/)
  assert.match(html, /href="\/login\?journey=the\+journey%2F%26&amp;switch=1"/)
  assert.doesNotMatch(html, /Nobody has checked/)
})

test('an application that registered itself is called unchecked and gets no link', () => {
  const client = { ...page.client, uri: 'https://bank.example/', selfRegistered: true }
  const html = renderConsent({ ...page, client })
  assert.match(
    textOf(html),
    /Nobody has checked this application\. It registered itself on 14 November 2023/,
  )
  assert.doesNotMatch(html, /href="https:/)
})

test('nothing that strangers chose is so long that it pushes the table away', () => {
  const uri = `https://bank.example/${'a'.repeat(2000)}`
  const client = { ...page.client, uri, selfRegistered: true }
  const host = `${'a.'.repeat(1000)}evil.example`
  const text = textOf(renderConsent({ ...page, client, redirectHost: host }))
  assert.match(text, /Website bank\.example , as it says/)
  assert.match(text, /you go back to (a\.){20}…[a.]+\.evil\.example \./)
  assert.match(
    textOf(renderConsent({ ...page, client: { ...client, uri: `https://${host}` } })),
    /…/,
  )
  const words = text.split(' ').map(({ length }) => length)
  assert.ok(Math.max(...words) <= 80, text)
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
    /Nothing has been allowed yet\. The access of Printer changed while this page was open\. Please decide again\./,
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
    assert.match(html, /<dt>First seen here<\/dt><dd><time/)
    assert.doesNotMatch(html, /registered itself/)
  }
  const warning = /Any program on this computer can claim to be it/
  assert.match(of(true), warning)
  assert.doesNotMatch(of(false), warning)
})

test('the reason for what is required is told once, with the name of who gives it', () => {
  const rows = asksFor(['photos', 'contacts'], { required: true })
  const client = { ...page.client, reason: 'To print them.' }
  const text = textOf(renderConsent({ ...page, client, rows }))
  assert.equal(text.split('Printer says: To print them.').length, 2)
})

test('pages and addresses of a stranger are not shown as if somebody had checked them', () => {
  const client = {
    ...page.client,
    policyUri: 'https://bank.example/privacy',
    contacts: ['help@bank.example'],
  }
  const of = (selfRegistered: boolean): string =>
    renderConsent({ ...page, client: { ...client, selfRegistered } })
  assert.match(textOf(of(false)), /Documents Privacy policy Contact help@bank\.example/)
  assert.doesNotMatch(of(true), /bank\.example/)
})
