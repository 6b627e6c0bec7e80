/** Language files of the operator: what they may hold, and the fault for everything else. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { loadSettings, SettingsFault } from '../../../src/config/load.ts'
import { loadEnglishMessages, loadLanguages } from '../../../src/languages.ts'

const place = mkdtempSync(join(tmpdir(), 'latchkey-languages-'))
after(() => rmSync(place, { recursive: true }))

let folders = 0
/** A folder with these files. A text is the content itself. */
const folderWith = (files: Readonly<Record<string, unknown>>): string => {
  const folder = join(place, `${folders++}`)
  mkdirSync(folder)
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const load = async (files: Readonly<Record<string, unknown>>) => {
  const { languages } = loadSettings({
    env: {},
    flags: { languages: folderWith(files) },
    cwd: place,
  })
  return loadLanguages({ languages })
}

const faultsOf = async (files: Readonly<Record<string, unknown>>): Promise<readonly string[]> => {
  try {
    await load(files)
  } catch (fault) {
    assert.ok(fault instanceof SettingsFault)
    return fault.faults
  }
  return []
}

const french = { tag: 'fr', name: 'Français', direction: 'ltr', messages: {} }

describe('language files', () => {
  test('add languages after those of the service, each in the order of its file', async () => {
    const persian = {
      tag: 'fa-IR',
      name: 'فارسی',
      direction: 'rtl',
      lang: 'fa',
      dates: 'fa-IR-u-ca-persian',
    }
    const known = await load({
      'fa.json': { ...persian, dates: 'fa-AF', messages: { 'login.title': 'ورود' } },
      'fr.json': french,
      'readme.txt': 'not a language',
    })
    assert.deepEqual(
      known.map(({ tag }) => tag),
      ['en', 'de', 'zh', 'fa-IR', 'fr'],
    )
    assert.deepEqual(known[3], {
      ...persian,
      dates: 'fa-AF',
      messages: new Map([['login.title', 'ورود']]),
    })
    assert.deepEqual(known[4], { ...french, lang: 'fr', dates: 'fr', messages: new Map() })
  })

  test('change a language that there is, in what they name and nothing else', async () => {
    const before = await load({})
    const known = await load({
      'en.json': { tag: 'en', dates: 'en-US', messages: { 'login.title': 'Sign in' } },
      'zh.json': { tag: 'zh', name: '中文', messages: {} },
    })
    assert.deepEqual(known[0], {
      ...before[0],
      dates: 'en-US',
      messages: new Map([['login.title', 'Sign in']]),
    })
    assert.deepEqual(known[1], before[1])
    assert.deepEqual(known[2], { ...before[2], name: '中文' })
  })

  test('may hold every message that there is, as English has it', async () => {
    const messages = Object.fromEntries(await loadEnglishMessages())
    assert.deepEqual(await faultsOf({ 'fr.json': { ...french, messages } }), [])
  })

  const whole = (fault: string): string =>
    `--languages must be the path of a folder with language files (see docs/languages.md), but ${fault}`
  const faulty: Readonly<Record<string, unknown>> = {
    'fr.json is not valid JSON': '{"tag": "fr",}',
    'fr.json must hold one JSON object': [french],
    'fr.json has an unknown member "message"': { ...french, message: {} },
    'fr.json needs as "tag" a tag such as fr or pt-BR': { ...french, tag: '../fr' },
    'fr.json needs as "lang" a tag such as fr or pt-BR': { ...french, lang: 'fr" x="' },
    'fr.json needs as "dates" a tag such as fr or pt-BR': { ...french, dates: 7 },
    'fr.json needs as "name" the name of the language in itself, of at most 60 characters': {
      ...french,
      name: ' ',
    },
    'fr.json needs as "direction" "ltr" or "rtl"': { ...french, direction: 'down' },
    'fr.json needs as "messages" an object': { ...french, messages: [] },
    'fr.json needs a text for the message "login.title"': {
      ...french,
      messages: { 'login.title': 1 },
    },
    'fr.json is larger than 1024 KiB': `"${'x'.repeat(1024 * 1024)}"`,
  }
  for (const [fault, content] of Object.entries(faulty)) {
    test(`are refused: ${fault}`, async () => {
      const [said, ...others] = await faultsOf({ 'fr.json': content })
      assert.deepEqual([said?.slice(0, whole(fault).length), others], [whole(fault), []])
    })
  }

  test('are refused where the folder cannot be read', () => {
    assert.throws(() => loadSettings({ env: { LATCHKEY_LANGUAGES: 'nowhere' }, cwd: place }), {
      message:
        'LATCHKEY_LANGUAGES must be the path of a folder with language files (see docs/languages.md), which can be read, not "nowhere"',
    })
  })

  test('of a new language need a name and a direction', async () => {
    const { name: _, ...nameless } = french
    assert.deepEqual(await faultsOf({ 'fr.json': nameless }), [
      'fr.json needs "name", since fr is a new language',
    ])
    const { direction: __, ...undirected } = french
    assert.deepEqual(await faultsOf({ 'fr.json': undirected }), [
      'fr.json needs "direction", since fr is a new language',
    ])
  })

  test('are one for each tag', async () => {
    assert.deepEqual(await faultsOf({ 'a.json': french, 'b.json': { ...french, messages: {} } }), [
      'b.json has the tag of another file: fr',
    ])
  })

  test('hear of each message that does not fit, with what was expected', async () => {
    const messages = {
      'login.titel': 'Connexion',
      'login.submit': ' ',
      'login.username': 'x'.repeat(2001),
      'login.password': 'a\u0000b',
      'login.forClient': 'Pour {klient}',
      'login.waitSeconds': 'Encore',
      'login.waitMinutes': '{minutes, plural, one {# minute}}',
      'login.forgot': '{constructor}',
      'consent.heading': '{client, plural, other {#}}',
      'login.passkeyElsewhere': '{link, date}',
      'password.rule': '{least, number, ::currency/EUR} {most}',
      'login.signUp': 'Créer {',
      __proto__: 'x',
      constructor: 'x',
    }
    const text = JSON.stringify({ ...french, messages }).replace('"constructor"', '"__proto__"')
    assert.deepEqual(await faultsOf({ 'fr.json': text }), [
      'fr.json: "login.titel" is unknown; did you mean "login.title"?',
      'fr.json: "login.submit" is empty',
      'fr.json: "login.username" has more than 2000 characters',
      'fr.json: "login.password" has a control character',
      'fr.json: "login.forClient" has an unknown placeholder {klient}; expected {client}',
      'fr.json: "login.waitSeconds" lacks {seconds}',
      'fr.json: "login.waitMinutes" is no ICU message (MISSING_OTHER_CLAUSE)',
      'fr.json: "login.forgot" has an unknown placeholder {constructor}; expected none',
      'fr.json: "consent.heading" uses {client} as a number, and it is none: write {client}',
      'fr.json: "login.passkeyElsewhere" has a format that pages do not use: write {link}',
      'fr.json: "password.rule" has a format that pages do not use: write {least}',
      'fr.json: "login.signUp" is no ICU message (EXPECT_ARGUMENT_CLOSING_BRACE)',
      'fr.json: "__proto__" is unknown',
    ])
  })

  test('hear of the first twenty faults', async () => {
    const messages = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`x${at}.y`, 'x']))
    const faults = await faultsOf({ 'fr.json': { ...french, messages } })
    assert.deepEqual(
      [faults.length, faults[0], faults.at(-1)],
      [21, 'fr.json: "x0.y" is unknown', 'and 10 more like these'],
    )
  })
})
