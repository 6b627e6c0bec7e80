import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderTour } from '../../../playground/pages/tour.ts'
import { playgroundStyles } from '../../../playground/styles.ts'
import { accentMeets, defaultAccent } from '../../../src/config/brand.ts'
import { defaultLook } from '../../../src/config/look.ts'
import { renderStylesheet } from '../../../src/paper/assets.ts'
import { renderError } from '../../../src/paper/error.ts'
import { renderLayout } from '../../../src/paper/layout.ts'
import { type LoginPage, renderLogin } from '../../../src/paper/login.ts'
import { html } from '../../../src/paper/markup.ts'
import type { Expected } from '../../../src/protocol/explanation.ts'
import { renderLoggedOut, renderLogout } from '../../../src/rooms/login/logout.ts'
import { renderHome } from '../../../src/rooms/site/home-page.ts'
import { samplesIn } from '../../pages/samples.ts'
import { chinese, english } from '../../support/view.ts'
import { buttonsOf, sentBy, tagsOf, textOf } from './reading.ts'

const inputs = (page: string) =>
  tagsOf(page)
    .filter((tag) => tag.name === 'input' && tag.attributes.type !== 'hidden')
    .map((tag) => tag.attributes)

test('login: the fields, and what password managers look for', () => {
  const page = renderLogin({ view: english, csrf: 'c', journey: 'j', clientName: 'Printer' })
  assert.deepEqual(sentBy(page), [
    ['csrf', 'c'],
    ['journey', 'j'],
    ['username', ''],
    ['password', ''],
  ])
  assert.deepEqual(
    inputs(page).map((of) => [of.type, of.autocomplete, 'autofocus' in of]),
    [
      ['text', 'username', true],
      ['password', 'current-password', false],
    ],
  )
  assert.match(textOf(page), /to continue to Printer/)
})

test('login: a problem is told, the username kept, the password asked anew', () => {
  const page = renderLogin({
    view: english,
    csrf: 'c',
    journey: '',
    username: 'ali"ce',
    problem: 'wrong',
    waitSeconds: 1,
  })
  assert.match(
    page,
    /role="alert" id="problem">The username, email address or password is wrong, or there were too many tries\. Wait a little, or use a passkey\. Try again in 1 second\.</,
  )
  assert.deepEqual(sentBy(page), [
    ['csrf', 'c'],
    ['journey', ''],
    ['username', 'ali"ce'],
    ['password', ''],
  ])
  assert.deepEqual(
    inputs(page).map((of) => [of['aria-describedby'], 'autofocus' in of]),
    [
      ['problem', false],
      ['problem', true],
    ],
  )
  assert.doesNotMatch(renderLogin({ view: english, csrf: 'c', journey: '' }), /role="alert"/)
  assert.match(
    renderLogin({ view: english, csrf: 'c', journey: '', waitSeconds: 600 }),
    /Try again in 10 minutes\./,
  )
})

test('login: the field with the focus brings along whatever stands above it', () => {
  const described = (given: Partial<LoginPage>) => {
    const page = renderLogin({ view: english, csrf: 'c', journey: '', ...given })
    const ids = tagsOf(page).flatMap(({ attributes: { id, name } }) =>
      id === undefined || id === name ? [] : [id],
    )
    return {
      ids,
      by: inputs(page).map((of) => [of['aria-describedby'], 'autofocus' in of]),
    }
  }
  assert.deepEqual(described({}), {
    ids: [],
    by: [
      [undefined, true],
      [undefined, false],
    ],
  })
  assert.deepEqual(described({ notice: 'Not done.', clientRegisteredBy: 'itself' }), {
    ids: ['unverified', 'notice'],
    by: [
      ['unverified notice', true],
      [undefined, false],
    ],
  })
  const given = { notice: 'Not done.', username: 'alice', problem: 'wrong' } as const
  assert.deepEqual(described(given), {
    ids: ['notice', 'problem'],
    by: [
      ['problem', false],
      ['notice problem', true],
    ],
  })
})

test('error: who has to act and the reference; details only where given', () => {
  const given = {
    view: { ...english, requestId: 'ref-1' },
    title: 'not_found',
    advice: 'wait',
    happened: 'unregistered_redirect_uri',
  } as const
  const plain = textOf(renderError({ ...given, who: 'operator' }))
  assert.match(plain, /is not registered for this client\. You did nothing wrong\. Wait a little/)
  assert.match(plain, /Reference: ref-1/)
  assert.doesNotMatch(plain, /For the developer/)
  const details = {
    by: 'developer',
    received: ['http://a/B'],
    expected: { is: 'oneOf', values: ['http://x/', 'http://a/b'] },
    remedies: [{ say: 'sendRegistered' }, { say: 'noRoom' }],
    command: null,
    tokenCommand: 'token',
  } as const
  const detailed = renderError({ ...given, who: 'developer', details })
  assert.match(detailed, /<dt>Received<\/dt><dd><code>http:\/\/a\/<mark>B<\/mark><\/code>/)
  assert.match(detailed, /<dt>Expected<\/dt><dd><code>http:\/\/a\/<mark>b<\/mark><\/code>/)
  assert.match(
    textOf(detailed),
    /or http:\/\/x\/ Send one that is registered, as in this request\. No other can be added:/,
  )
  assert.doesNotMatch(detailed, /<a |token/)
})

test('error: whatever number of values came, and whether what was expected can be listed', () => {
  const factsOf = (received: readonly string[], expected: Expected) => {
    const command = { text: 'fix it', asOperator: true }
    const page = renderError({
      view: chinese,
      title: 'cannotFollow',
      happened: 'incomplete',
      who: 'owner',
      advice: 'address',
      details: {
        by: 'operator',
        received,
        expected,
        remedies: [{ say: 'enableClient' }],
        command,
        tokenCommand: 't',
      },
    })
    assert.match(
      page,
      /<pre class="command"[^>]*>fix it<\/pre>[\s\S]*<pre class="command"[^>]*>t<\/pre>/,
    )
    return [...page.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, term, value]) => [
      term,
      value,
    ])
  }
  assert.deepEqual(factsOf([], { is: 'enabledClient' }), [
    ['收到的值', '无'],
    ['预期的值', '未被停用的客户端'],
  ])
  assert.deepEqual(factsOf(['a', 'b\u200b'], { is: 'oneOf', values: ['c'] }), [
    ['收到的值', '<code>a</code>'],
    ['以及', '<code>b‹U+200B›</code>'],
    ['预期的值', '<code>c</code>'],
  ])
})

test('home: the demo has one of its own, and elsewhere nothing is told of it', () => {
  const issuer = 'https://id.example'
  const linksOn = (page: string) =>
    tagsOf(page)
      .filter((tag) => tag.name === 'a')
      .map((tag) => tag.attributes.href)
  const metadata = '/.well-known/oauth-authorization-server'
  const neutral = renderHome({ view: english, isOpen: false })
  assert.deepEqual(linksOn(neutral), ['/account', metadata])
  const open = renderHome({ view: english, isOpen: true })
  assert.deepEqual(linksOn(open), ['/account', '/signup', metadata])
  assert.doesNotMatch(neutral, /demo/i)
  const client = { id: 'app', name: 'App', secret: null, grantTypes: ['implicit', 'x'] }
  const demo = {
    owners: [{ username: 'alice', password: 'wonderland' }],
    clients: [client],
    curl: `curl -d 'a=b&c=d' "x"`,
    flows: ['code', 'pkce'] as const,
    attacks: 2,
  }
  const text = textOf(renderTour({ view: english, issuer, ...demo }))
  assert.match(
    text,
    /2 flows to walk through People in a browser .*curl -d 'a=b&c=d' "x" .*This is a demo/,
  )
  assert.match(text, /alice Password: wonderland .* App app none \(public\) implicit x /)
})

test('logout: asking changes nothing, a button does', () => {
  const page = renderLogout({ view: english, csrf: 'c', clientName: null, request: '' })
  assert.match(page, /<form method="post" action="\/logout">/)
  const decisions = ['logout', 'stay'].map((decision) => ['decision', decision])
  assert.deepEqual([sentBy(page), buttonsOf(page)], [[['csrf', 'c']], decisions])
  assert.match(renderLoggedOut({ view: english }), /<h1>You are logged out<\/h1>/)
})

test('a page is a plain string, and takes no promise', () => {
  assert.equal(typeof renderLoggedOut({ view: english }), 'string')
  // @ts-expect-error: a page would show the promise in place of what it brings.
  const main = html`${Promise.resolve('x')}`
  assert.throws(
    () => renderLayout({ view: english, title: 'x', main, tellsZone: false }),
    TypeError,
  )
})

const wholeSheet = renderStylesheet(defaultAccent, defaultLook, playgroundStyles)

test('the stylesheet loads nothing and escapes nothing', () => {
  assert.doesNotMatch(wholeSheet, /url\(|@import|<|\\/)
})

test('the colours beside the accent are those that an accent is compared with', () => {
  const { light, dark } = accentMeets
  assert.ok(wholeSheet.includes(`--ground: light-dark(${light.ground},`))
  assert.ok(wholeSheet.includes(`--paper: light-dark(#ffffff, ${dark.ground})`))
  assert.ok(wholeSheet.includes(`--on-accent: light-dark(${light.onAccent}, ${dark.onAccent})`))
})

test('the stylesheet knows no left and right', () => {
  const declarations = [...wholeSheet.matchAll(/[{;]\s*([a-z-]+):\s*([^;{}]+)/g)]
  const isPhysical = (property: string, value: string): boolean => {
    if (/\b(left|right|top|bottom)\b/.test(property)) return true
    if (/^(text-align|float|clear)$/.test(property)) return /left|right/.test(value)
    if (/^(min-|max-)?(width|height)$/.test(property)) return true
    const sides = value
      .replaceAll(/\([^()]*\)/g, '')
      .trim()
      .split(/\s+/)
    return /^(padding|margin|inset)$/.test(property) && sides.length === 4
  }
  const physical = declarations.filter(([, property = '', value = '']) =>
    isPhysical(property, value),
  )
  assert.ok(declarations.length > 300)
  assert.deepEqual(
    physical.map(([, property, value]) => `${property}: ${value}`),
    [],
  )
})

test('spaces and sizes of type are those of the two scales, or reckoned', () => {
  const sizes = [...wholeSheet.matchAll(/(?:padding|margin|gap|font-size)[a-z-]*:([^;{}]+)/g)]
  const raw = sizes.flatMap(([, value = '']) => {
    const plain = value.replaceAll(/(?:calc|clamp)\(.*\)/g, '')
    return /[\d.]rem/.test(plain) ? [value.trim()] : []
  })
  assert.ok(sizes.length > 100)
  assert.deepEqual(raw, [])
})

test('a name of the stylesheet stands for something', () => {
  const given = new Set([...wholeSheet.matchAll(/(--[a-z\d-]+):/g)].map(([, name]) => name))
  const used = new Set([...wholeSheet.matchAll(/var\((--[a-z\d-]+)/g)].map(([, name]) => name))
  assert.deepEqual(
    [...used].filter((name) => !given.has(name)),
    [],
  )
})

test('red is what ends, deletes or cannot be taken back, and no other button', () => {
  const { components: _, ...shown } = samplesIn(english)
  const pages = Object.values(shown)
  const listTexts = (pattern: RegExp) =>
    [
      ...new Set(
        pages.flatMap((page) =>
          [...page.matchAll(pattern)].map(([, text = '']) =>
            textOf(text.replace(/<span class="unseen">.*/s, '')).trim(),
          ),
        ),
      ),
    ].sort()
  // In a row, only the button that confirms is red.
  const question = '<details class="confirm"><summary[^>]*>((?:(?!</summary>).)*)</summary>'
  assert.deepEqual(listTexts(new RegExp(`${question}.*?<button class="danger primary"`, 'gs')), [
    'Delete',
    'Delete user',
    'Disable',
    'Disable user',
    'End access',
    'End access of all 3',
    'End all tokens',
    'End everything',
    'End the stream',
    'Log out all others',
    'Log out everywhere',
    'New key for tokens, and end all tokens',
    'New secret',
    'New secret, and end the old one',
    'Remove',
    'Remove the second step',
    'Revoke its registration token',
    'Turn off',
    'Unlink',
    'Withdraw',
  ])
  const calm = '<details class="confirm calm"><summary>((?:(?!</summary>).)*)</summary>'
  assert.deepEqual(listTexts(new RegExp(`${calm}.*?<button class="primary"`, 'gs')), [
    'New key for tokens',
    'New password link',
    'New secret',
    'New signing keys',
  ])
  assert.deepEqual(listTexts(/<button class="danger"[^>]*>(.*?)<\/button>/gs), [
    'Delete my account',
    'End them',
  ])
})
