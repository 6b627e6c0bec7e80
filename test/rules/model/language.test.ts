import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findLanguage, preferLanguage } from '../../../src/model/language.ts'
import { chinese, english } from '../../support/view.ts'

const known = [english.language, chinese.language]

const chooseLanguage = (locales: string | null, accepted: string | null) =>
  (findLanguage(locales, known) ?? preferLanguage(accepted, known)).tag

describe('the language of a page', () => {
  const locales = (text: string) => chooseLanguage(text, null)
  const accepted = (header: string) => chooseLanguage(null, header)

  test('is English where nobody asks for another', () => {
    assert.equal(chooseLanguage(null, null), 'en')
    assert.deepEqual(['', ' ', 'de', 'tlh fr'].map(locales), ['en', 'en', 'en', 'en'])
  })

  test('is the first of ui_locales that there is (OpenID Connect Core section 3.1.2.1)', () => {
    const asked = ['zh', 'zh-CN', 'ZH-hans-cn', 'de zh-TW en', 'en-GB zh', 'fr-CA en zh', 'zhx zh']
    assert.deepEqual(asked.map(locales), ['zh', 'zh', 'zh', 'zh', 'en', 'en', 'zh'])
  })

  test('is the one of the longest beginning, else of another country (RFC 4647 section 3.4)', () => {
    const like = (tag: string, lang = tag) => ({ ...english.language, tag, lang })
    const all = [like('en'), like('pt-BR'), like('zh', 'zh-Hans'), like('zh-Hant'), like('fr-CA')]
    const asked = {
      'pt-br-x-y-z': 'pt-BR',
      'pt-PT': 'pt-BR',
      pt: 'pt-BR',
      'zh-Hant-TW': 'zh-Hant',
      'zh-TW': 'zh',
      'zh-Hans-SG': 'zh',
      'fr-FR pt': 'fr-CA',
      'xx-fr': undefined,
      '': undefined,
    }
    for (const [tags, tag] of Object.entries(asked)) {
      assert.deepEqual([tags, findLanguage(tags, all)?.tag], [tags, tag])
    }
  })

  test('is of ui_locales rather than of Accept-Language, of that where they name no other', () => {
    assert.equal(chooseLanguage('en', 'zh'), 'en')
    assert.equal(chooseLanguage('zh', 'en'), 'zh')
    assert.equal(chooseLanguage('de fr', 'zh-CN'), 'zh')
  })

  test('follows the weights of Accept-Language (RFC 9110 section 12.5.4)', () => {
    const headers = {
      'zh-CN,zh;q=0.9,en;q=0.8': 'zh',
      'en;q=0.8, zh-Hans;q=0.9': 'zh',
      'en-US,en;q=0.5,zh;q=0.3': 'en',
      'de, zh;q=0.1': 'zh',
      'zh;q=0.5, en;q=0.5': 'zh',
      'zh;q=0, en;q=0.001': 'en',
      'zh;q=0': 'en',
      '*': 'en',
      'en;q=0, *': 'zh',
      '*;q=0.5, en;q=0.4': 'zh',
      ',, zh ;\tq=1.000 ,': 'zh',
      'ZH;Q=1': 'zh',
    }
    for (const [header, language] of Object.entries(headers)) {
      assert.deepEqual([header, accepted(header)], [header, language])
    }
  })

  test('is English where Accept-Language is malformed in any part', () => {
    const headers = [
      'zh;q=2',
      'zh;q=1.5',
      'zh;q=0.1234',
      'zh;q=',
      'zh;q=x',
      'zh;level=1',
      'zh;q=1;q=1',
      'zh en',
      'zh, <script>',
      'zh_CN',
      'zh-',
      'zh, 中文',
      'zh, abcdefghi',
      'zh\u0000',
    ]
    assert.deepEqual(
      headers.filter((header) => accepted(header) !== 'en'),
      [],
    )
  })

  test('is not looked for in texts of any length', () => {
    assert.equal(accepted(`${'de,'.repeat(340)}zh`), 'zh')
    assert.equal(accepted(`${'de,'.repeat(341)}zh`), 'en')
    assert.equal(locales(`${'de '.repeat(340)}zh`), 'zh')
    assert.equal(locales(`${'de '.repeat(341)}zh`), 'en')
  })
})
