/** The secret behind pairwise subjects: made once, and the same whatever becomes of keys and root secrets. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { rewrapKeys, rotateKeys } from '../../src/cli/keys.ts'
import { addTraces } from '../../src/cli/store.ts'
import { drawRandom, makeSalt } from '../../src/crypto/digest.ts'
import { isPlain } from '../../src/crypto/wrap.ts'
import { backUp } from '../../src/store/transfer/dump.ts'
import { restore } from '../../src/store/transfer/restore.ts'
import { newPath } from '../store/folder.ts'
import { trace } from '../store/moments.ts'
import { register, subjectIn, tokensOf } from '../support/registered.ts'
import { type Started, start } from '../support/start.ts'

const [first, second, third] = ['first', 'second', 'third'].map(
  (name) => `the ${name} root secret of this service`,
) as [string, string, string]

interface Given {
  readonly secret: string | null
  readonly previousSecret?: string
}

const openOn = (path: string, { secret, previousSecret }: Given): Promise<Started> =>
  start({ store: `sqlite:${path}`, secret, previousSecret: previousSecret ?? null })

const wrappedIn = async (service: Started): Promise<string> =>
  (await service.server().store.findFact('pairwise secret')) ?? ''

/** Null where nothing belongs to an owner yet. */
const shardSecretIn = (service: Started): Promise<string | null> =>
  service.server().store.findFact('shard secret')

const warningsOf = ({ notices }: Started): readonly string[] =>
  notices.filter(({ level }) => level === 'warn').map(({ message }) => message)

const operated = (service: Started) => addTraces(service.server().operated, 'root')

/** A store with a pairwise client, and the subject of alice there. */
const lived = async (t: TestContext, given: Given) => {
  const path = newPath(t)
  const service = await openOn(path, given)
  const client = await register(service, { subject_type: 'pairwise' })
  const subject = subjectIn(await tokensOf(service, client))
  const again = async (now: Started): Promise<string> => subjectIn(await tokensOf(now, client))
  return { path, service, client, subject, again }
}

test('a service without pairwise clients has none', async (t) => {
  const service = await openOn(newPath(t), { secret: first })
  await tokensOf(service, await register(service))
  assert.equal(await wrappedIn(service), '')
  await service.close()
})

test('subjects stay when keys are rotated and all tokens ended', async (t) => {
  const { service, subject, again } = await lived(t, { secret: first })
  const shardSecret = await shardSecretIn(service)
  await rotateKeys({ endTokens: true }, operated(service))
  await service.advance(60)
  assert.equal(await again(service), subject)
  assert.equal(await shardSecretIn(service), shardSecret)
  await service.close()
})

test('subjects stay when the root secret changes', async (t) => {
  const { path, service: before, subject, again } = await lived(t, { secret: first })
  const wrapped = await wrappedIn(before)
  await before.close()
  const between = await openOn(path, { secret: second, previousSecret: first })
  assert.equal(await again(between), subject)
  await rewrapKeys({}, operated(between))
  assert.notEqual(await wrappedIn(between), wrapped)
  await between.close()
  const after = await openOn(path, { secret: second })
  assert.deepEqual(warningsOf(after), [])
  assert.equal(await again(after), subject)
  await after.close()
})

test('a service that gets its first root secret wraps it, and subjects stay', async (t) => {
  const { path, service, subject, again } = await lived(t, { secret: first })
  const store = service.server().store
  const plain = `plain.${Buffer.alloc(32, 7).toString('base64url')}`
  await store.setFact('pairwise secret', await wrappedIn(service), plain)
  await service.close()
  const after = await openOn(path, { secret: first })
  assert.equal(isPlain(await wrappedIn(after)), false)
  const told = await again(after)
  assert.notEqual(told, subject)
  await after.restart()
  assert.equal(await again(after), told)
  await after.close()
})

const restored = async (t: TestContext, from: string): Promise<string> => {
  const [file, path] = [join(newPath(t), '..', 'backup'), newPath(t)]
  await backUp(`sqlite:${from}`, file, trace().at)
  const options = { tokens: 'end', newSalt: () => makeSalt(drawRandom), trace } as const
  await restore(`sqlite:${path}`, file, options)
  return path
}

test('subjects stay in a restored store, though its tokens have ended', async (t) => {
  const { path, service, subject, again } = await lived(t, { secret: first })
  const shardSecret = await shardSecretIn(service)
  await service.close()
  const after = await openOn(await restored(t, path), { secret: first })
  assert.equal(await again(after), subject)
  assert.ok(shardSecret !== null && (await shardSecretIn(after)) === shardSecret)
  await after.close()
})

test('under another root secret a restored store tells no wrong subject', async (t) => {
  const { path, service, client, subject, again } = await lived(t, { secret: first })
  await service.close()
  const elsewhere = await restored(t, path)
  const other = await openOn(elsewhere, { secret: third })
  assert.match(warningsOf(other).join(), /the secret of pairwise subjects is wrapped under another/)
  const { error } = await tokensOf(other, client)
  assert.equal(error, 'temporarily_unavailable')
  assert.match(await rewrapKeys({}, operated(other)), /BEWARE: the secret of pairwise subjects/)
  await other.close()
  const mended = await openOn(elsewhere, { secret: third, previousSecret: first })
  await rewrapKeys({}, operated(mended))
  await mended.close()
  const after = await openOn(elsewhere, { secret: third })
  assert.equal(await again(after), subject)
  await after.close()
})
