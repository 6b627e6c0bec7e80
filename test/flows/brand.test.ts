/** A service that looks like its operator: name, logo, colours, texts, links. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Started, start } from '../support/start.ts'

const scripted = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

describe('an operator with a brand', () => {
  let started: Started

  before(async () => {
    started = await start({
      operatorName: { en: 'Tea <b>Party</b>', zh: '茶会' },
      logo: { type: 'image/svg+xml', bytes: Uint8Array.from(Buffer.from(scripted)) },
      accentColor: '#1d4ed8',
      accentColorDark: '#93c5fd',
      look: { radius: 4, font: ['Source Sans 3', 'Inter'] },
      loginText: { en: 'For guests.', zh: '供客人使用。' },
      helpUrl: { en: 'https://tea.example/help', zh: 'https://tea.example/zh' },
      termsUrl: { en: 'https://tea.example/?a=1&b="', zh: 'https://tea.example/' },
    })
  })
  after(() => started.close())

  test('is named on every page, in the language of the page', async () => {
    for (const path of ['/login', '/logout', '/authorize']) {
      const { text } = await started.ask(path)
      assert.match(text, /<title>[^<]+ · Tea &lt;b&gt;Party&lt;\/b&gt;<\/title>/)
      assert.doesNotMatch(text, /Latchkey/)
    }
    const chinese = await started.ask('/login', { headers: { 'accept-language': 'zh' } })
    assert.match(chinese.text, /<title>登录 · 茶会<\/title>/)
    assert.match(chinese.text, /供客人使用。/)
    assert.match(chinese.text, /<a href="https:\/\/tea\.example\/zh"[^>]*>帮助<\/a>/)
  })

  test('says its own on the login page and links its own pages', async () => {
    const { text } = await started.ask('/login')
    assert.match(text, /For guests\./)
    const links = [...text.matchAll(/<li><a href="([^"]*)" rel="([^"]*)">([^<]*)<\/a><\/li>/g)]
    assert.deepEqual(
      links.map(([, ...of]) => of),
      [
        ['https://tea.example/help', 'noopener noreferrer', 'Help'],
        ['https://tea.example/?a=1&amp;b=&quot;', 'noopener noreferrer', 'Terms'],
      ],
    )
  })

  test('has its logo on every page, in which scripts are dead', async () => {
    const { text } = await started.ask('/login')
    assert.match(text, /<img class="logo" src="\/assets\/logo" alt="">/)
    const logo = await started.ask('/assets/logo')
    assert.deepEqual(
      ['content-type', 'x-content-type-options', 'content-security-policy'].map((name) =>
        logo.headers.get(name),
      ),
      ['image/svg+xml', 'nosniff', "default-src 'none'; style-src 'unsafe-inline'; sandbox"],
    )
    assert.equal(logo.text, scripted)
  })

  test('has its corners and fonts in the stylesheet, which fetches none', async () => {
    const { text } = await started.ask('/assets/latchkey.css')
    assert.match(text, /--round: 0\.25rem; --font: "Source Sans 3", "Inter", system-ui }/)
    assert.doesNotMatch(text, /@font-face|@import|url\(/)
  })

  test('has its colours in the stylesheet and in the icon', async () => {
    for (const path of ['/assets/latchkey.css', '/assets/icon.svg', '/favicon.ico']) {
      const { status, text } = await started.ask(path)
      assert.equal(status, 200)
      assert.match(text, /#1d4ed8/)
      assert.match(text, /#93c5fd/)
    }
  })
})

describe('an operator without one', () => {
  test('is called Latchkey and has a key, and nothing at the foot', async () => {
    const started = await start()
    try {
      const { text } = await started.ask('/login')
      assert.match(text, /<title>Log in · Latchkey<\/title>/)
      assert.match(text, /<link rel="icon" href="\/assets\/icon\.svg">/)
      assert.doesNotMatch(text, /<img|<footer/)
      assert.equal((await started.ask('/assets/logo')).status, 404)
      const icon = await started.ask('/favicon.ico')
      assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/svg+xml'])
    } finally {
      await started.close()
    }
  })
})
