/** Refused requests on a page, explained to a Chinese reader: none of it in English. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ClientId } from '../../src/model/ids.ts'
import { mistakeWords } from '../../src/paper/words/error.ts'
import { exactText, factsOf } from '../rules/pages/reading.ts'
import { trace } from '../store/moments.ts'
import { sampleClient } from '../store/sample.ts'
import { askFor } from '../support/authorization.ts'
import { callback } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'
import type { Changes } from '../support/tokens.ts'
import { chinese } from '../support/view.ts'

const { expected, remedies, faults } = mistakeWords(chinese.language)

/** One request of each kind, with its expected value and its remedy. */
const mistakes: readonly (readonly [string, Changes, readonly string[], readonly string[]])[] = [
  [
    'an unknown client',
    { client_id: 'nobody' },
    [expected.registeredClient],
    [remedies.registerClient, remedies.keepSecret],
  ],
  [
    'an unknown client that keeps no secret',
    { client_id: 'nobody', response_type: 'token' },
    [expected.registeredClient],
    [remedies.registerClient],
  ],
  [
    'an id that no client can have',
    { client_id: 'no body' },
    [expected.registeredClient],
    [remedies.registerClient, remedies.keepSecretAndId],
  ],
  [
    'an id that no client can have, of one that keeps no secret',
    { client_id: 'no body', response_type: 'token' },
    [expected.registeredClient],
    [remedies.registerClient, remedies.keepId],
  ],
  [
    'a disabled client',
    { client_id: 'resting' },
    [expected.enabledClient],
    [remedies.enableClient],
  ],
  ['no client', { client_id: undefined }, [expected.clientId], [remedies.addClientId]],
  ...(['client_id', 'redirect_uri'] as const).map(
    (parameter) =>
      [
        `${parameter} twice`,
        { [parameter]: ['one', 'two'] },
        [expected.once({ parameter })],
        [remedies.sendOnce({ parameter })],
      ] as const,
  ),
  [
    'a redirect URI that is not registered',
    { redirect_uri: 'https://other.example/' },
    [callback],
    [remedies.sendExactly, remedies.registerToo],
  ],
  [
    'one more than a client may have',
    { client_id: 'full', redirect_uri: 'https://other.example/' },
    Array.from({ length: 20 }, (_, at) => `https://app.example/${at}`),
    [remedies.sendExactly, remedies.noRoom],
  ],
  [
    'no redirect URI',
    { client_id: 'full', redirect_uri: undefined },
    Array.from({ length: 20 }, (_, at) => `https://app.example/${at}`),
    [remedies.sendRegistered],
  ],
  [
    'a client that has none',
    { client_id: 'service', redirect_uri: undefined },
    [expected.registeredRedirectUri],
    [remedies.registerOwn],
  ],
  ...(
    [
      ['tooLong', `https://a.example/${'x'.repeat(3000)}`],
      ['fragment', 'https://a.example/#x'],
      ['badCharacter', 'https://a.example/*'],
      ['notAbsolute', '/callback'],
      ['userName', 'https://me@a.example/'],
      ['notHttpsForm', 'https:a.example'],
      ['notLoopback', 'http://a.example/'],
      ['badScheme', 'javascript:alert(1)'],
      ['noSlash', 'com.example.app:cb'],
      ['answerParameter', 'https://a.example/?code=x'],
    ] as const
  ).map(
    ([fault, redirect_uri]) =>
      [
        `a redirect URI that cannot be registered: ${fault}`,
        { redirect_uri },
        [callback],
        [remedies.cannotRegister({ fault: faults[fault] }), remedies.sendRegistered],
      ] as const,
  ),
  [
    'a document that cannot be used',
    { client_id: 'https://a.example/#x' },
    [expected.document],
    [remedies.mendDocument],
  ],
  [
    'a document whose host does not answer',
    { client_id: 'https://a.example/client.json' },
    [expected.document],
    [remedies.answerFetch],
  ],
  [
    'a request object that cannot be used',
    { request: 'x', redirect_uri: undefined },
    [expected.requestObject],
    [remedies.mendObject],
  ],
  [
    'a pushed request that is not there',
    { request_uri: 'urn:ietf:params:oauth:request_uri:x' },
    [expected.pushedRequest],
    [remedies.pushAnew],
  ],
  ['what cannot be read', { state: '\0' }, [expected.encodedParameters], [remedies.useLibrary]],
]

/** The words: commands, received values and registered values stay as they are. */
const wordsOf = (page: string): string =>
  exactText(page.replaceAll(/<(pre|code|style)\b.*?<\/\1>/gs, ''))

/** The paragraphs below the facts, up to the command. */
const remediesOf = (page: string): readonly string[] => {
  const [, below = ''] = /<\/dl>(.*?)<(?:pre|p class="quiet small")/s.exec(page) ?? []
  return [...below.matchAll(/<p>(.*?)<\/p>/g)].map(([, inside = '']) => exactText(inside))
}

/** The expected values: the facts after the received ones. */
const expectedOf = (page: string): readonly string[] => {
  const facts = factsOf(page)
  const from = facts.findIndex(([term]) => term === '预期的值')
  return facts.slice(from).map(([, value]) => value)
}

describe('a refused request is explained in Chinese', () => {
  const demo = startBefore()
  before(async () => {
    const { store } = demo.server()
    const client = (id: string, change: object) =>
      store.createClient(sampleClient({ id: id as ClientId, ...change }), trace())
    await client('resting', { disabled: true })
    await client('service', { redirectUris: [], responseTypes: [] })
    await client('full', {
      redirectUris: Array.from({ length: 20 }, (_, at) => `https://app.example/${at}`),
    })
  })

  for (const [what, changes, wanted, mends] of mistakes) {
    test(what, async () => {
      const { status, text } = await askFor(demo, { ...changes, ui_locales: 'zh' })
      assert.equal(status, 400)
      assert.match(text, /<html lang="zh-Hans"/)
      assert.deepEqual(expectedOf(text).toSorted(), wanted.toSorted())
      assert.deepEqual(remediesOf(text), mends)
      assert.doesNotMatch(text, /lang="en"/)
      assert.doesNotMatch(wordsOf(text), /[a-z]+ [a-z]+ [a-z]+/i)
    })
  }

  test('with every word that there is for it', () => {
    const shown = new Set(mistakes.flatMap(([, , wanted, mends]) => [...wanted, ...mends]))
    const parameter = 'client_id'
    const texts = [
      ...Object.values({ ...expected, once: expected.once({ parameter }) }),
      ...Object.values({
        ...remedies,
        sendOnce: remedies.sendOnce({ parameter }),
        cannotRegister: '',
        // Only outside the demo.
        documentsOff: '',
      }),
      ...Object.values(faults).map((fault) => remedies.cannotRegister({ fault })),
    ]
    assert.deepEqual(
      texts.filter((text) => text !== '' && !shown.has(text)),
      [],
    )
  })

  test('what came stays text there, and changes no sentence', async () => {
    for (const hostile of [
      '"><script>alert(1)</script>',
      '</dd></dl><img src=x onerror=alert(1)>',
    ]) {
      for (const [changes, sentences] of [
        [{ client_id: hostile }, [remedies.registerClient, remedies.keepSecretAndId]],
        [{ client_id: [hostile, 'b'] }, [remedies.sendOnce({ parameter: 'client_id' })]],
        [
          { redirect_uri: hostile },
          [remedies.cannotRegister({ fault: faults.badCharacter }), remedies.sendRegistered],
        ],
      ] as const) {
        const { text } = await askFor(demo, { ...changes, ui_locales: 'zh' })
        assert.deepEqual(remediesOf(text), sentences)
        assert.doesNotMatch(text, /<script|<img/)
      }
    }
  })
})
