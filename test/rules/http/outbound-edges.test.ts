/** The guarded fetch at its bounds: redirects, lengths, connections, and what an upstream makes of a fault. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { httpLimits } from '../../../src/http/limits.ts'
import { createOutbound, type OutboundOptions } from '../../../src/http/outbound.ts'
import { askForJson } from '../../../src/upstreams/code-flow.ts'
import { openSite, type Site } from '../../support/site.ts'

const open = (change: Partial<OutboundOptions> = {}) =>
  createOutbound({ loopback: true, allowed: [], deadline: () => () => {}, ...change })

let site: Site
let answer: (url: string, outgoing: ServerResponse) => void = () => {}
before(async () => {
  site = await openSite(({ url = '' }, outgoing) => answer(url, outgoing))
})
after(() => site.close())

const at = (path: string): string => `http://127.0.0.1:${site.port}${path}`

describe('the guarded fetch', () => {
  test('follows so many redirects of one origin, and no further one', async () => {
    answer = (url, outgoing) => {
      const left = Number(url.slice(1))
      if (left === 0) outgoing.end('there')
      else outgoing.writeHead(302, { Location: `/${left - 1}` }).end()
    }
    const { redirects: most } = httpLimits.outbound
    const follow = async (count: number) => {
      const asked = { url: at(`/${count}`), mostBytes: 10, redirects: 'same-origin' } as const
      const said = await open().fetch(asked)
      return said.outcome === 'answered' ? said.url : said.reason
    }
    assert.deepEqual([await follow(most), await follow(most + 1)], [at('/0'), 'redirected'])
  })

  test('takes a confirmation that tells the length of what it leaves out', async () => {
    answer = (_, outgoing) => outgoing.writeHead(304, { 'Content-Length': '5000' }).end()
    const said = await open().fetch({ url: at('/'), mostBytes: 10 })
    assert.equal(said.outcome === 'answered' && said.status, 304)
  })

  test('ends the connection of an answer that is too long', { timeout: 60_000 }, async () => {
    const ended = Promise.withResolvers<void>()
    answer = (_, outgoing) => {
      outgoing.once('close', ended.resolve)
      // More than any buffer between here and there holds.
      const more = (left: number): void => {
        if (left === 0 || outgoing.destroyed) return
        outgoing.write('x'.repeat(65_536), () => setImmediate(() => more(left - 1)))
      }
      more(1000)
    }
    const said = await open().fetch({ url: at('/'), mostBytes: 10 })
    assert.equal(said.outcome === 'failed' && said.reason, 'too_large')
    await ended.promise
  })
})

describe('a fault of the fetch is one of an upstream', () => {
  const ofPassing: Readonly<Record<string, Partial<OutboundOptions>>> = {
    too_slow: {
      deadline: (_, end) => {
        end()
        return () => {}
      },
    },
    too_busy: { most: { atOnce: 0, atOncePerHost: 0 } },
    unknown_host: { resolve: async () => [] },
  }
  for (const [reason, change] of Object.entries(ofPassing)) {
    test(`that is down: ${reason}`, async () => {
      const said = await askForJson('x', { url: 'https://a.example/' }, open(change))
      assert.deepEqual({ ...Object(said) }, { kind: 'unreachable', detail: `x: ${reason}` })
    })
  }

  test('that is configured wrongly, where it may not be asked', async () => {
    const outbound = open({ resolve: async () => ['10.0.0.1'] })
    const said = await askForJson('x', { url: 'https://a.example/' }, outbound)
    assert.deepEqual({ ...Object(said) }, { kind: 'wrong', detail: 'x: forbidden_address' })
  })
})
