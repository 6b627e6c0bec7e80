/** Endless, huge or simultaneous answers: the cost of a fetch is bounded. */
import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { httpLimits } from '../../src/http/limits.ts'
import { createOutbound, type Deadline, type OutboundOptions } from '../../src/http/outbound.ts'
import { openSite, type Site } from '../support/site.ts'

const mostBytes = 1000

/** A service of the demo, whose requests last until a test says otherwise. */
const guarded = (options: Partial<OutboundOptions> = {}) =>
  createOutbound({ loopback: true, allowed: [], deadline: () => () => {}, ...options })

const reasonOf = async (
  answer: RequestListener,
  options: Partial<OutboundOptions> = {},
): Promise<string> => {
  const site = await openSite(answer)
  const outcome = await guarded(options).fetch({ url: urlOf(site), mostBytes })
  await site.whenClosed
  await site.close()
  return outcome.outcome === 'failed' ? outcome.reason : outcome.outcome
}

const urlOf = ({ port }: Site): string => `http://127.0.0.1:${port}/`

/** A deadline that comes when it is called. */
const byHand = () => {
  let end = (): void => {}
  const asked: number[] = []
  const deadline: Deadline = (milliseconds, whenLate) => {
    asked.push(milliseconds)
    end = whenLate
    return () => {}
  }
  return { deadline, asked, come: () => end() }
}

/** The outcome behind so many interim answers. */
const behindInterim = async (number: number) => {
  const site = await openSite(({ socket }) =>
    socket.end(
      `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(number)}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`,
    ),
  )
  const answer = await guarded().fetch({ url: urlOf(site), mostBytes })
  await site.close()
  return answer.outcome === 'failed' ? answer.detail : answer.outcome
}

test('a flood of interim answers is given up after a few', async () => {
  const { interimAnswers } = httpLimits.outbound
  assert.equal(await behindInterim(interimAnswers), 'answered')
  assert.equal(await behindInterim(interimAnswers + 1), 'interim_answers')
  assert.equal(await behindInterim(100_000), 'interim_answers')
})

describe('an answer that takes too long is given up, and so is its connection', () => {
  test('slow drip: a byte now and then', async () => {
    const { deadline, come, asked } = byHand()
    let drops = 0
    const reason = await reasonOf(
      (_request, answer) => {
        const drip = (): void => {
          if (++drops === 50) come()
          else answer.write('x', () => setImmediate(drip))
        }
        answer.writeHead(200)
        drip()
      },
      { deadline },
    )
    assert.deepEqual([reason, asked], ['too_slow', [httpLimits.outbound.milliseconds]])
  })

  test('no headers at all', async () => {
    const { deadline, come } = byHand()
    assert.equal(await reasonOf(() => come(), { deadline }), 'too_slow')
  })

  test('headers without an end', async () => {
    const { deadline, come } = byHand()
    const reason = await reasonOf(
      ({ socket }) => socket.write('HTTP/1.1 200 OK\r\nX-A: b\r\n', () => come()),
      { deadline },
    )
    assert.equal(reason, 'too_slow')
  })

  test('a name server that never answers, not even to be told that it is late', async () => {
    const { deadline, come } = byHand()
    const outbound = guarded({
      deadline,
      resolve: () => {
        setImmediate(come)
        return new Promise(() => {})
      },
    })
    const answer = await outbound.fetch({ url: 'https://docs.example/', mostBytes })
    assert.deepEqual(answer, { outcome: 'failed', reason: 'too_slow', detail: '' })
  })

  test('a name that is answered for when it is too late is not connected to', async () => {
    const { deadline, come } = byHand()
    const site = await openSite((_request, answer) => answer.end())
    const late = Promise.withResolvers<readonly string[]>()
    const outbound = guarded({
      deadline,
      resolve: () => {
        setImmediate(come)
        return late.promise
      },
    })
    const url = `http://docs.example:${site.port}/`
    assert.equal((await outbound.fetch({ url, mostBytes })).outcome, 'failed')
    late.resolve(['127.0.0.1'])
    // A request after it goes the whole way, so the late one would have come by then.
    await guarded().fetch({ url: urlOf(site), mostBytes })
    assert.equal(site.connections(), 1)
    await site.close()
  })

  test('when the service ends', async () => {
    const asked = Promise.withResolvers<void>()
    const site = await openSite(() => asked.resolve())
    const outbound = guarded()
    const answer = outbound.fetch({ url: urlOf(site), mostBytes })
    await asked.promise
    outbound.close()
    assert.equal((await answer).outcome, 'failed')
    await site.whenClosed
    await site.close()
  })
})

describe('an answer that is too much is given up', () => {
  test('a length that says so is not even read', async () => {
    const reason = await reasonOf((_request, answer) =>
      answer.writeHead(200, { 'Content-Length': mostBytes + 1 }).write('x'),
    )
    assert.equal(reason, 'too_large')
  })

  test('a body without an end', async () => {
    const reason = await reasonOf((_request, answer) => {
      const pour = (): void => {
        if (!answer.destroyed) answer.write('x'.repeat(500), () => setImmediate(pour))
      }
      pour()
    })
    assert.equal(reason, 'too_large')
  })

  test('one byte more is too much, and what may be is not', async () => {
    const chunked =
      (bytes: number): RequestListener =>
      (_request, answer) => {
        answer.write('x')
        answer.end('x'.repeat(bytes - 1))
      }
    assert.equal(await reasonOf(chunked(mostBytes + 1)), 'too_large')
    assert.equal(await reasonOf(chunked(mostBytes)), 'answered')
  })

  test('compressed bomb: no content coding is taken', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000))
    for (const coding of ['gzip', 'GZIP', 'br', 'deflate', 'zstd', 'identity, gzip']) {
      const reason = await reasonOf((_request, answer) =>
        answer.writeHead(200, { 'Content-Encoding': coding }).end(bomb),
      )
      assert.equal(reason, 'encoded', coding)
    }
    const site = await openSite((_request, answer) => answer.end())
    await guarded().fetch({
      url: urlOf(site),
      mostBytes,
      headers: { 'Accept-Encoding': 'gzip' },
    })
    assert.equal(site.requests[0]?.headers['accept-encoding'], 'identity')
    await site.close()
  })

  test('headers as long as a book', async () => {
    const reason = await reasonOf(({ socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\nX-A: ${'b'.repeat(httpLimits.outbound.headerBytes)}\r\n\r\n`)
    })
    assert.equal(reason, 'no_answer')
  })

  test('a redirect with a book in it', async () => {
    const reason = await reasonOf((_request, answer) =>
      answer.writeHead(302, { Location: '/' }).end('x'.repeat(mostBytes + 1)),
    )
    assert.equal(reason, 'too_large')
  })
})

describe('an answer that is none', () => {
  const answers: Readonly<Record<string, RequestListener>> = {
    'a connection that ends': ({ socket }) => socket.destroy(),
    'something else than HTTP': ({ socket }) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
    'a body cut short': ({ socket }) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx'),
    'chunks cut short': ({ socket }) =>
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nx'),
    'two lengths': ({ socket }) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'),
    'another protocol': ({ socket }) =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
  }
  for (const [what, answer] of Object.entries(answers)) {
    test(`${what} is told apart from one`, async () => {
      assert.equal(await reasonOf(answer), 'no_answer')
    })
  }

  test('nobody listening', async () => {
    const site = await openSite((_request, answer) => answer.end())
    await site.close()
    const answer = await guarded().fetch({ url: urlOf(site), mostBytes })
    assert.deepEqual(answer, { outcome: 'failed', reason: 'no_answer', detail: 'ECONNREFUSED' })
  })
})

describe('many requests at once', () => {
  const { atOnce, atOncePerHost } = httpLimits.outbound

  test('to one host: some, and no more until one has ended', async () => {
    let waiting: (() => void)[] | null = []
    const all = Promise.withResolvers<void>()
    const site = await openSite((_request, answer) => {
      if (waiting === null) answer.end()
      else if (waiting.push(() => answer.end()) === atOncePerHost) all.resolve()
    })
    const outbound = guarded()
    const ask = () => outbound.fetch({ url: urlOf(site), mostBytes })
    const first = Array.from({ length: atOncePerHost }, ask)
    assert.deepEqual(await ask(), { outcome: 'failed', reason: 'too_busy', detail: '' })
    await all.promise
    for (const end of waiting) end()
    waiting = null
    for (const answer of await Promise.all(first)) assert.equal(answer.outcome, 'answered')
    assert.equal((await ask()).outcome, 'answered')
    await site.close()
  })

  test('to many hosts: some, and no more', async () => {
    const outbound = guarded({ resolve: () => new Promise(() => {}) })
    const ask = (host: number) =>
      outbound.fetch({ url: `https://host-${host}.example/`, mostBytes })
    const under = Array.from({ length: atOnce }, (_, host) => ask(host))
    assert.deepEqual(await ask(atOnce), { outcome: 'failed', reason: 'too_busy', detail: '' })
    outbound.close()
    for (const answer of await Promise.all(under)) assert.equal(answer.outcome, 'failed')
    const freed = ask(0)
    outbound.close()
    assert.deepEqual(await freed, { outcome: 'failed', reason: 'too_slow', detail: '' })
  })
})
