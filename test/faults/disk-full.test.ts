/** F-06: the disk under the embedded database is full, and has room again later. */
import assert from 'node:assert/strict'
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bearer } from '../flows/operator.ts'
import type { Reachable } from '../support/browser.ts'
import { houseApp } from '../support/demo-clients.ts'
import { reach } from '../support/reach.ts'
import { isActive, newTokens, refresh } from './operation.ts'
import { assertUnavailable } from './points.ts'
import { type Killable, launch, untilReady } from './service.ts'
import { mountSmall } from './small-disk.ts'

const fill = (file: string): void => {
  for (let size = 1 << 20; size >= 1; size >>= 1) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size))
    } catch {
      // Full for pieces of this size.
    }
  }
}

const put = (service: Reachable, token: string, id: number, text: string) =>
  service.ask(`/api/photos/${id}`, { ...bearer(token), method: 'PUT', json: { text } })

/** Writes until nothing fits any more; tells how many items are kept. */
const writeUntilFull = async (service: Reachable, token: string): Promise<number> => {
  let kept = 0
  for (const text of ['x'.repeat(50_000), 'x']) {
    for (;;) {
      const answer = await put(service, token, kept, text)
      if (answer.status !== 201) {
        assertUnavailable(answer, 'disk full')
        break
      }
      kept++
    }
  }
  return kept
}

const countItems = async (service: Reachable, token: string): Promise<number> => {
  let count = 0
  for (let path: string | null = '/api/photos?limit=100'; path !== null; ) {
    const { status, body } = await service.ask(path, bearer(token))
    assert.equal(status, 200)
    count += body.items.length
    path = body.next && `/api/photos?limit=100&after=${encodeURIComponent(body.next)}`
  }
  return count
}

test('F-06 a full disk: reads go on, writes are refused, and room heals it', async (t) => {
  const disk = mountSmall(8 * 1024)
  if (disk === null) return t.diagnostic('left out: only root can mount a small file system')
  let process: Killable | null = null
  t.after(async () => {
    await process?.kill()
    disk.unmount()
  })
  process = await launch(`sqlite:${join(disk.path, 'latchkey.db')}`, disk.path)
  const service = reach(process.issuer)
  const tokens = await newTokens(service)
  const other = await newTokens(service)
  const filler = join(disk.path, 'filler')
  fill(filler)
  let kept = await writeUntilFull(service, tokens.access_token)

  // Smaller writes still fit for a while: ready means that the smallest does, and tries once a second.
  let answer = await service.ask('/health/ready')
  const began = performance.now()
  while (answer.status === 200 && performance.now() - began < 60_000) {
    if ((await put(service, tokens.access_token, 0, 'y')).status === 201) kept++
    answer = await service.ask('/health/ready')
  }
  assertUnavailable(answer, 'ready')
  assert.equal((await service.ask('/health/live')).status, 200)
  assert.equal(await isActive(service, tokens.access_token), true)
  assert.equal(await countItems(service, tokens.access_token), kept)
  const revoke = (token: string) => service.post('/revoke', { token }, houseApp)
  // The journal may find room in the file meanwhile; what is answered is true either way.
  const revoked = await revoke(other.access_token)
  if (revoked.status !== 200) assertUnavailable(revoked, 'revoke')
  assert.equal(await isActive(service, other.access_token), revoked.status !== 200)
  const refreshed = await refresh(service, other.refresh_token)
  if (refreshed.status !== 200) assertUnavailable(refreshed, 'refresh')

  rmSync(filler)
  const back = await untilReady(process.issuer, 60_000)
  assert.equal((await revoke(other.access_token)).status, 200)
  assert.equal(await isActive(service, other.access_token), false)
  assert.equal((await refresh(service, other.refresh_token)).status, 200)
  assert.equal((await put(service, tokens.access_token, kept, 'x')).status, 201)
  assert.equal(await countItems(service, tokens.access_token), kept + 1)
  t.diagnostic(`${kept} items kept; back after ${Math.round(back)} ms, without a restart`)
})
