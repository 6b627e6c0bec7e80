/** A restore is told to the streams of a service that has no JWTs. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { drawRandom, makeSalt } from '../../src/crypto/digest.ts'
import { backUp } from '../../src/store/transfer/dump.ts'
import { restore } from '../../src/store/transfer/restore.ts'
import { operatorOf } from '../flows/operator.ts'
import { nightlyReport } from '../support/demo-clients.ts'
import { openStream, pollStream, setsOf } from '../support/signals.ts'
import { start } from '../support/start.ts'
import { newPath } from './folder.ts'
import { trace } from './moments.ts'

test('a restored stream tells of the restore: all tokens from before have ended', async (t) => {
  const service = await start()
  const operator = await operatorOf(service)
  const change = { introspection_clients: [nightlyReport[0]] }
  await operator('PATCH', 'resources/photos', change)
  const id = await openStream(service)
  const file = join(service.folder, 'backup')
  await backUp(`sqlite:${join(service.folder, 'latchkey.db')}`, file, service.now())
  const path = newPath(t)
  const newSalt = () => makeSalt(drawRandom)
  await restore(`sqlite:${path}`, file, { tokens: 'end', newSalt, trace })
  const restored = await start({ store: `sqlite:${path}` })
  const [set] = await setsOf(restored, await pollStream(restored, id))
  const tenant = { format: 'complex', tenant: { format: 'opaque', id: restored.issuer } }
  assert.deepEqual([set?.event, set?.subject], ['session-revoked', tenant])
  await Promise.all([service.close(), restored.close()])
})
