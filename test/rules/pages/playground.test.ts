/** The playground's catalog of flows: every step has words, every way to break it says what it meant. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { curlOf } from '../../../playground/curl.ts'
import { type Flow, findStep, isReady, type Known } from '../../../playground/flow.ts'
import { flowsOf } from '../../../playground/flows/index.ts'
import { playgroundLimits } from '../../../playground/limits.ts'
import type { WrittenMessage } from '../../../playground/pages/exchanged.ts'
import { renderFlow } from '../../../playground/pages/flow.ts'
import { stepWords } from '../../../playground/pages/steps.ts'
import { createRuns } from '../../../playground/runs.ts'
import { english } from '../../support/view.ts'
import { tagsOf } from './reading.ts'

const flows = flowsOf({ extensions: ['urn:x'], proxy: '192.0.2.7' })

/** Every run knows these from the start. An answer at the redirect URI brings the others. */
const given = ['issuer', 'callback', 'gallery', 'state', 'verifier', 'challenge', 'nonce']
const brought = ['code', 'access_token', 'id_token', 'code_verifier', 'asked_nonce']

/** All that the client of a flow can get to know. */
const learnable = ({ steps, attacks }: Flow): Known => {
  const rows = [...steps, ...attacks].flatMap((step) => ('send' in step ? step.send : []))
  const learned = rows.flatMap(({ learn = {}, set = {} }) => [
    ...Object.values(learn),
    ...Object.keys(set),
  ])
  const signed = [...steps, ...attacks].flatMap((step) =>
    'send' in step ? [step.sign ?? []].flat().map(({ as }) => as) : [],
  )
  const arrives = steps.some((step) => 'arrive' in step)
  const names = [...given, ...(arrives ? brought : []), ...learned, ...signed]
  return Object.fromEntries(names.map((name) => [name, 'x']))
}

const namesOf = (part: 'steps' | 'attacks'): readonly string[] => [
  ...new Set(flows.flatMap((flow) => flow[part].map(({ name }) => name))),
]

const meaningful = (): readonly string[] =>
  Object.entries(stepWords(english.language))
    .filter(([, { meaning }]) => meaning !== undefined)
    .map(([name]) => name)

describe('the flows of the playground', () => {
  test('use all words that there are', () => {
    const used = [...namesOf('steps'), ...namesOf('attacks')]
    assert.deepEqual(used.toSorted(), Object.keys(stepWords(english.language)).toSorted())
  })

  test('say of each attack, and of nothing else, what it meant', () => {
    assert.deepEqual(meaningful().toSorted(), namesOf('attacks').toSorted())
  })

  test('can learn all that their requests use', () => {
    const stuck = flows.flatMap((flow) =>
      [...flow.steps, ...flow.attacks]
        .filter((step) => !isReady(step, learnable(flow)))
        .map((step) => `${flow.name}: ${step.name}`),
    )
    assert.deepEqual(stuck, [])
  })

  test('need something before they can break what came of it', () => {
    const replay = flows[0] && findStep(flows[0], 'replay')
    assert.ok(replay)
    const known = { callback: 'x', access_token: 'x' }
    assert.equal(isReady(replay, { ...known, used_code: 'x' }), true)
    assert.equal(isReady(replay, known), false)
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
  for (let i = 0; i < playgroundLimits.runs; i++) runs.save(`browser ${i}`, 'code', run)
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
    const message: WrittenMessage = {
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
      page: [{ kind: 'dd', pieces: [text, text] }],
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
        inspected: null,
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
