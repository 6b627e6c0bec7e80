/** `latchkey language`: files for translators, which the service takes as they are. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { exportLanguage, listLanguages, saveLanguage } from '../../../src/cli/languages.ts'
import { loadEnglishMessages } from '../../../src/languages.ts'
import { program } from '../../shape/made-program.ts'

const languages = mkdtempSync(join(tmpdir(), 'latchkey-languages-'))
after(() => rmSync(languages, { recursive: true }))

const write = (name: string, content: string): void => writeFileSync(join(languages, name), content)

const exported = async (tag: string, flags = {}) =>
  JSON.parse(await exportLanguage(tag, { languages, ...flags }))

describe('latchkey language export', () => {
  test('begins a file with all messages in English', async () => {
    const all = await loadEnglishMessages()
    const file = await exported('ur')
    const head = [file.tag, file.name, file.direction, file.lang]
    assert.deepEqual(head, ['ur', 'اردو', 'rtl', undefined])
    assert.deepEqual(Object.keys(file.messages), [...all.keys()])
    assert.equal(file.messages['login.title'], all.get('login.title'))
    assert.deepEqual(
      Object.keys(file.messages).filter((key) => key.startsWith('playground.')),
      [],
    )
    const pages = await exported('pt-BR')
    assert.deepEqual([pages.name, pages.direction], ['português (Brasil)', 'ltr'])
  })

  test('goes on with a file, and prints what it lacks', async () => {
    const begun = await exported('ur')
    const lacking = Object.keys(begun.messages).filter((key) => key.startsWith('ended.'))
    for (const key of lacking) delete begun.messages[key]
    write('ur.json', JSON.stringify(begun))
    const whole = await exported('ur')
    assert.equal(Object.keys(whole.messages).length, (await loadEnglishMessages()).size)
    const { messages } = await exported('UR', { missing: true })
    assert.ok(lacking.length > 0)
    assert.deepEqual(Object.keys(messages), lacking)
    assert.deepEqual((await exported('de', { missing: true })).messages, {})
    assert.equal((await exported('zh')).lang, 'zh-Hans')
  })

  test('written into the folder itself, keeps what is translated there', async () => {
    const path = join(languages, 'fr.json')
    const messages = { 'login.title': 'Connexion' }
    write('fr.json', JSON.stringify({ tag: 'fr', name: 'français', direction: 'ltr', messages }))
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [program, 'language', 'export', 'fr', '--to', path, '--languages', languages],
      { encoding: 'utf8' },
    )
    assert.deepEqual([stdout, stderr, status], ['', '', 0])
    const file = JSON.parse(readFileSync(path, 'utf8'))
    const all = await loadEnglishMessages()
    assert.deepEqual(
      [file.name, file.messages['login.title'], file.messages['login.submit']],
      ['français', 'Connexion', all.get('login.submit')],
    )
    await assert.rejects(saveLanguage('fr', path, { languages, missing: true }), /--missing/)
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), file)
    rmSync(path)
  })

  test('keeps what is translated in a file of another folder, or without the setting', async () => {
    const path = join(languages, 'fr.json')
    const messages = { 'login.title': 'Connexion' }
    write('fr.json', JSON.stringify({ tag: 'fr', name: 'mien', direction: 'ltr', messages }))
    await saveLanguage('FR', path, {})
    const file = JSON.parse(readFileSync(path, 'utf8'))
    assert.deepEqual(
      [file.tag, file.name, file.messages['login.title']],
      ['fr', 'mien', 'Connexion'],
    )
    rmSync(path)
  })

  test('refuses to write over a file of another language, or of none', async () => {
    const path = join(languages, 'mine.json')
    for (const [content, said] of [
      [JSON.stringify({ tag: 'de', messages: {} }), /mine\.json holds the language de/],
      ['# Notes', /mine\.json is not valid JSON/],
    ] as const) {
      write('mine.json', content)
      await assert.rejects(saveLanguage('fr', path, {}), said)
      assert.equal(readFileSync(path, 'utf8'), content)
    }
    rmSync(path)
  })

  test('an emptied file is named', async () => {
    write('fr.json', '')
    await assert.rejects(exportLanguage('fr', { languages }), /fr\.json is empty/)
    rmSync(join(languages, 'fr.json'))
  })

  test('refuses what is no tag', async () => {
    await assert.rejects(exportLanguage('../fr', { languages }), {
      message: '../fr is no tag of a language, such as fr or pt-BR',
    })
  })
})

test('latchkey language list counts the messages that are in English', async () => {
  write(
    'ur.json',
    JSON.stringify({ tag: 'ur', name: 'اردو', direction: 'rtl', messages: { 'login.title': 'x' } }),
  )
  const { size } = await loadEnglishMessages()
  const lines = (await listLanguages({ languages })).split('\n')
  assert.deepEqual(lines, [
    'en          English',
    'de          Deutsch',
    'zh          简体中文',
    `ur          اردو (${size - 1} of ${size} messages are in English)`,
  ])
  assert.deepEqual(JSON.parse(await listLanguages({ languages, json: true })).at(-1), {
    tag: 'ur',
    name: 'اردو',
    missing: size - 1,
  })
})
