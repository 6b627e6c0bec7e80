/** Messages: plurals, numbers, and the escaping of everything but markup. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Language } from '../../../src/model/language.ts'
import { allowMarkup, speakWords } from '../../../src/paper/catalog.ts'
import { html } from '../../../src/paper/markup.ts'
import { chinese, english } from '../../support/view.ts'

const sampleWords = speakWords('sample', {
  plain: 'It’s here',
  tagged: 'A tag: <b>',
  who: allowMarkup('{who} <i>waits</i> for {what}.'),
  days: '{days, plural, =0 {today} one {# day} other {# days}}',
  count: '{count, number} of {count, number}',
  place: '{at, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}',
})

const speaking = (tag: string, messages: Readonly<Record<string, string>>): Language => ({
  ...english.language,
  tag,
  lang: tag,
  dates: tag,
  messages: new Map(Object.entries(messages)),
})

const escaped = (text: string): string => String(html`${text}`)

describe('a message', () => {
  const words = sampleWords(english.language)

  test('speaks numbers and plurals as its language does', () => {
    assert.deepEqual(
      [0, 1, 2, 1234].map((days) => words.days({ days })),
      ['today', '1 day', '2 days', '1,234 days'],
    )
    assert.deepEqual(
      [1, 2, 3, 11].map((at) => words.place({ at })),
      ['1st', '2nd', '3rd', '11th'],
    )
    assert.equal(words.count({ count: 1000 }), '1,000 of 1,000')
    const polish = speaking('pl', {
      'sample.days': '{days, plural, one {# dzień} few {# dni} many {# dni} other {# dnia}}',
      'sample.count': '{count}',
    })
    const said = [1, 2, 5, 1.5].map((days) => sampleWords(polish).days({ days }))
    assert.deepEqual(said, ['1 dzień', '2 dni', '5 dni', '1,5 dnia'])
    assert.equal(
      sampleWords(speaking('de', { 'sample.count': '{count}' })).count({ count: 1e4 }),
      '10.000',
    )
  })

  test('is in English where a language lacks it, with the plural of English', () => {
    const arabic = speaking('ar', {})
    assert.equal(sampleWords(arabic).days({ days: 3 }), '3 days')
    assert.equal(sampleWords(chinese.language).plain, 'It’s here')
  })

  test('without placeholders is a text; quotes keep a brace of a translation', () => {
    assert.equal(words.plain, 'It’s here')
    assert.equal(words.tagged, 'A tag: <b>')
    const quoted = speaking('fr', { 'sample.tagged': "Une '{accolade}' : <b>" })
    assert.equal(sampleWords(quoted).tagged, 'Une {accolade} : <b>')
  })

  test('escapes its text and all values but markup, whatever they hold', () => {
    const text = fc.string({ unit: 'binary' })
    const literal = fc.string().map((given) => `${given.replaceAll(/['{}]/g, '')}<b>&"`)
    fc.assert(
      fc.property(text, text, literal, (who, what, between) => {
        const markup = html`<bdi>${who}</bdi>`
        const own = speaking('fr', { 'sample.who': `{what}${between}{who}` })
        assert.equal(
          String(sampleWords(own).who({ who: markup, what: html`${what}` })),
          `${escaped(what)}${escaped(between)}<bdi>${escaped(who)}</bdi>`,
        )
        assert.equal(
          String(words.who({ who: markup, what: html`${what}` })),
          `<bdi>${escaped(who)}</bdi> &lt;i&gt;waits&lt;/i&gt; for ${escaped(what)}.`,
        )
      }),
    )
  })
})
