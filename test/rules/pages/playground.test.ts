/** The playground's catalog of flows: every step has words, every way to break it says what it meant. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '../../../src/config/limits.ts'
import { curlOf } from '../../../src/playground/curl.ts'
import { flowsOf } from '../../../src/playground/flows/index.ts'
import type { Written } from '../../../src/playground/pages/exchanged.ts'
import { renderFlow } from '../../../src/playground/pages/flow.ts'
import { stepWords } from '../../../src/playground/pages/steps.ts'
import { createRuns } from '../../../src/playground/runs.ts'
import { english } from '../../support/view.ts'
import { tagsOf } from './reading.ts'

const flows = flowsOf({
  issuer: 'http://127.0.0.1:6749',
  redirectOrigin: 'http://127.0.0.1:6749',
  extensions: ['urn:x'],
})

const namesOf = (part: 'steps' | 'attacks'): readonly string[] => [
  ...new Set(flows.flatMap((flow) => flow[part].map(({ name }) => name))),
]

const meaningful = (language: 'en' | 'zh'): readonly string[] =>
  Object.entries(stepWords[language])
    .filter(([, { meaning }]) => meaning !== undefined)
    .map(([name]) => name)

describe('the flows of the playground', () => {
  test('use all words that there are', () => {
    const used = [...namesOf('steps'), ...namesOf('attacks')]
    assert.deepEqual(used.toSorted(), Object.keys(stepWords.en).toSorted())
  })

  test('say of each attack, and of nothing else, what it meant', () => {
    for (const language of ['en', 'zh'] as const) {
      assert.deepEqual(meaningful(language).toSorted(), namesOf('attacks').toSorted())
    }
  })

  test('have no step twice', () => {
    for (const { name, steps, attacks } of flows) {
      const names = [...steps, ...attacks].map((step) => step.name)
      assert.equal(new Set(names).size, names.length, name)
    }
  })
})

test('a command is quoted for a shell', () => {
  const message = {
    method: 'PUT',
    path: "/api/photos/it's?a=1&b=2",
    headers: { Authorization: 'Bearer a.b', 'Content-Type': 'application/json' },
    body: `{"title":"it's $HOME"}`,
  } as const
  assert.equal(
    curlOf(message, 'http://127.0.0.1:6749'),
    [
      `curl -si -X PUT 'http://127.0.0.1:6749/api/photos/it'\\''s?a=1&b=2' \\`,
      "  -H 'Authorization: Bearer a.b' \\",
      "  -H 'Content-Type: application/json' \\",
      `  -d '{"title":"it'\\''s $HOME"}'`,
    ].join('\n'),
  )
})

test('runs are bounded: the one that was looked at least recently goes first', () => {
  const runs = createRuns()
  const run = { known: {}, scenes: {} }
  for (let i = 0; i < limits.playground.runs; i++) runs.save(`browser ${i}`, 'code', run)
  runs.save('browser 0', 'code', run)
  runs.save('one more', 'code', run)
  const kept = ['browser 0', 'browser 1', 'browser 2', 'one more'].filter((browser) =>
    runs.find(browser, 'code'),
  )
  assert.deepEqual(kept, ['browser 0', 'browser 2', 'one more'])
  assert.equal(runs.find('browser 0', 'pkce'), null)
})

test('whatever is shown stays text', () => {
  const page = (text: string): string => {
    const message: Written = {
      start: `HTTP/1.1 400 ${text}`,
      headers: [[text, text]],
      body: text,
      cut: 1,
      fields: [
        [text, text],
        ['code', text],
      ],
    }
    const exchanged = {
      ways: [['client', 'server']],
      request: message,
      response: message,
      curl: text,
      expected: true,
    } as const
    return renderFlow({
      view: english,
      csrf: text,
      flow: 'extension',
      issuer: 'http://127.0.0.1:6749',
      client: text,
      owner: text,
      steps: [{ name: 'extension', done: true }],
      attacks: [],
      shown: {
        step: 'extension',
        isAttack: false,
        exchanges: [exchanged],
        arrival: null,
        doing: { kind: 'send', preview: exchanged, asks: text, again: true },
        next: 'read',
      },
    })
  }
  const names = (text: string) => tagsOf(page(text)).map(({ name }) => name)
  const plain = names('x')
  for (const text of [
    '"><script>alert(1)</script>',
    "' onfocus='alert(1)",
    '</pre></textarea><a>',
  ]) {
    assert.deepEqual(names(text), plain)
  }
})
