/** The settings of the brand: legible colours, small pictures, texts per language; each fault with the others. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { accentMeets, computeContrast, defaultAccent } from '../../../src/config/brand.ts'
import { loadSettings, SettingsFault } from '../../../src/config/load.ts'

const cwd = mkdtempSync(join(tmpdir(), 'latchkey-brand-'))
after(() => rmSync(cwd, { recursive: true }))

const written = (name: string, content: string | Buffer): string => {
  writeFileSync(join(cwd, name), content)
  return name
}

const load = (env: Readonly<Record<string, string>>, file: object = {}) => {
  writeFileSync(join(cwd, 'latchkey.config.json'), JSON.stringify(file))
  return loadSettings({ env, cwd })
}

const faultsOf = (env: Readonly<Record<string, string>>, file: object = {}): readonly string[] => {
  try {
    load(env, file)
  } catch (fault) {
    assert.ok(fault instanceof SettingsFault)
    return fault.faults
  }
  return []
}

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'

describe('accent colours', () => {
  test('have the contrast of the W3C formula', () => {
    assert.equal(computeContrast('#000000', '#ffffff'), 21)
    assert.equal(computeContrast('#777777', '#777777'), 1)
    assert.equal(computeContrast('#777777', '#ffffff').toFixed(2), '4.48')
  })

  test('of our own are legible where they are used', () => {
    for (const scheme of ['light', 'dark'] as const) {
      for (const other of Object.values(accentMeets[scheme])) {
        assert.ok(computeContrast(defaultAccent[scheme], other) >= 4.5, `${scheme} ${other}`)
      }
    }
  })

  test('are taken where they are legible', () => {
    const env = { LATCHKEY_ACCENT_COLOR: '#1D4ED8', LATCHKEY_ACCENT_COLOR_DARK: '#93c5fd' }
    const { accentColor, accentColorDark } = load(env)
    assert.deepEqual([accentColor, accentColorDark], ['#1d4ed8', '#93c5fd'])
  })

  test('are refused otherwise, with the ratio they have and the least', () => {
    const env = { LATCHKEY_ACCENT_COLOR: '#ffcc00', LATCHKEY_ACCENT_COLOR_DARK: '#1d4ed8' }
    assert.deepEqual(faultsOf(env), [
      'LATCHKEY_ACCENT_COLOR must be a colour with a contrast of at least 4.5:1 to #f4f6f6, which it meets on light pages (this one has 1.39:1), not "#ffcc00"',
      'LATCHKEY_ACCENT_COLOR_DARK must be a colour with a contrast of at least 4.5:1 to #171d21, which it meets on dark pages (this one has 2.53:1), not "#1d4ed8"',
    ])
    for (const color of ['red', '#fff', '#12345g', '#1234567', 'url(x)', '#000000;}']) {
      assert.deepEqual(faultsOf({ LATCHKEY_ACCENT_COLOR: color }), [
        `LATCHKEY_ACCENT_COLOR must be a colour such as #0b6352, not "${color}"`,
      ])
    }
  })
})

describe('the look', () => {
  test('takes a radius, names of fonts, or both', () => {
    const given = [{ radius: 0 }, { font: ['Source Sans 3', '思源黑体'] }, { radius: 16, font: [] }]
    assert.deepEqual(
      given.map((look) => load({}, { look }).look),
      [
        { radius: 0, font: [] },
        { radius: 8, font: ['Source Sans 3', '思源黑体'] },
        { radius: 16, font: [] },
      ],
    )
    assert.equal(load({ LATCHKEY_LOOK: '{"radius": 4}' }).look.radius, 4)
  })

  test('is refused otherwise, so nothing but a name reaches the stylesheet', () => {
    const wrong = [
      ...[-1, 17, 4.5, '4', null].map((radius) => ({ radius })),
      ...[
        'Inter',
        [''],
        ['a"b'],
        ["a'"],
        ['a;b'],
        ['a}b'],
        ['a\\b'],
        ['a,b'],
        ['a\n'],
        ['url(x)'],
      ].map((font) => ({ font })),
      { font: Array(9).fill('Inter') },
      { font: ['x'.repeat(41)] },
      { colour: 'red' },
      [],
      'round',
    ]
    for (const look of wrong) {
      const [fault = '', ...others] = faultsOf({}, { look })
      assert.match(
        fault,
        /^"look" in latchkey.config.json must be an object with "radius" .* or both/,
      )
      assert.deepEqual(others, [])
    }
  })
})

describe('the logo', () => {
  test('is told by what it holds, whatever it is called', () => {
    const webp = Buffer.from('RIFF\x10\0\0\0WEBPVP8L', 'latin1')
    const files = {
      'logo.png': [png, 'image/png'],
      'logo.jpg': [webp, 'image/webp'],
      'logo.svg': [svg, 'image/svg+xml'],
      'long.svg': [`\ufeff<?xml version="1.0"?>\n<!-- <x> -->\n${svg}`, 'image/svg+xml'],
    } as const
    for (const [name, [content, type]] of Object.entries(files)) {
      const { logo } = load({ LATCHKEY_LOGO: written(name, content) })
      assert.deepEqual(logo, { type, bytes: Uint8Array.from(Buffer.from(content)) })
    }
  })

  test('is small, a picture, and there', () => {
    const form = 'the path of a PNG, SVG or WebP file of at most 200 KiB'
    const big = Buffer.concat([png, Buffer.alloc(200 * 1024)])
    const cases = {
      [written('big.png', big)]: `${form} (this one has ${big.length} bytes)`,
      [written('page.html', '<!doctype html><title>x</title><svg/>')]: form,
      [written('gif.png', 'GIF89a')]: form,
      'nowhere.png': `${form}, which can be read`,
      '.': `${form}, which can be read`,
    }
    for (const [name, expected] of Object.entries(cases)) {
      assert.deepEqual(faultsOf({ LATCHKEY_LOGO: name }), [
        `LATCHKEY_LOGO must be ${expected}, not "${name}"`,
      ])
    }
  })
})

describe('the texts of the operator', () => {
  test('are the same in every language, or one per language', () => {
    const file = {
      operatorName: { en: 'Tea Party', zh: '茶会' },
      loginText: 'For guests.',
      helpUrl: 'https://tea.example/help',
      privacyUrl: { en: 'https://tea.example/en', zh: 'https://tea.example/zh' },
    }
    const { operatorName, loginText, helpUrl, privacyUrl, termsUrl } = load({}, file)
    assert.deepEqual(
      { operatorName, loginText, helpUrl, privacyUrl, termsUrl },
      {
        operatorName: file.operatorName,
        loginText: { en: 'For guests.' },
        helpUrl: { en: 'https://tea.example/help' },
        privacyUrl: file.privacyUrl,
        termsUrl: null,
      },
    )
  })

  test('are refused together where they are none', () => {
    const file = {
      operatorName: 'x'.repeat(61),
      loginText: { zh_CN: '中文' },
      helpUrl: 'javascript:alert(1)',
      privacyUrl: 'http://tea.example/privacy',
      termsUrl: { en: 'https://tea.example/', zh: 'tea' },
    }
    assert.deepEqual(
      faultsOf({}, file).map((fault) => fault.replace(/, not .*/, '')),
      [
        '"operatorName" in latchkey.config.json must be a text, or an object with one per language, such as {"en": "..."}, of at most 60 characters',
        '"loginText" in latchkey.config.json must be a text, or an object with one per language, such as {"en": "..."}, of at most 500 characters',
        '"helpUrl" in latchkey.config.json must be an https URL (or an http one on a loopback address), or an object with one per language, such as {"en": "..."}',
        '"privacyUrl" in latchkey.config.json must be an https URL (or an http one on a loopback address), or an object with one per language, such as {"en": "..."}',
        '"termsUrl" in latchkey.config.json must be an https URL (or an http one on a loopback address), or an object with one per language, such as {"en": "..."}',
      ],
    )
  })

  test('hold no password, which pages and the console would show', () => {
    for (const url of ['https://u:secret@tea.example/', 'https://token@tea.example/']) {
      const file = {
        helpUrl: url,
        privacyUrl: { en: 'https://tea.example/', zh: url },
        termsUrl: url,
      }
      const faults = faultsOf({ LATCHKEY_ERROR_URI: url }, file)
      assert.equal(faults.length, 4)
      for (const fault of faults) assert.doesNotMatch(fault, /secret|token/)
    }
  })

  test('lead to pages without TLS on this machine only', () => {
    for (const host of ['127.0.0.1:8080', 'localhost', '[::1]']) {
      const { helpUrl } = load({}, { helpUrl: `http://${host}/help` })
      assert.equal(helpUrl?.en, `http://${host}/help`)
    }
  })
})
