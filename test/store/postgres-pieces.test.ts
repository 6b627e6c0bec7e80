/** Statements travel to PostgreSQL together where no step waits for the rows of one before the next. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { runTogether } from '../../src/store/engines/postgres/batch.ts'
import {
  type Connection,
  connect,
  Durability,
} from '../../src/store/engines/postgres/connection.ts'
import { plain } from '../../src/store/engines/postgres/dialect.ts'
import { openPostgresStore } from '../../src/store/sql/open.ts'
import type { Call } from '../../src/store/sql/steps.ts'
import { next, start, trace } from './moments.ts'
import { takePostgres } from './one-postgres.ts'
import { sampleRedemption, sampleRotation } from './sample.ts'
import { settleFamily, told } from './settle.ts'

test('a step makes a round trip for each answer that it looks at, and one for the commit', async (t) => {
  const postgres = await takePostgres()
  if (postgres === null) return t.skip('no PostgreSQL here')
  t.after(() => postgres.stop())
  const url = await postgres.newDatabase()
  const store = await openPostgresStore({ url, random })
  t.after(() => store.close())
  const connection = await connect(url, new Durability(), plain)
  t.after(() => connection.end())
  let pieces = 0
  const counted: Connection = {
    ...connection,
    together: (send) => {
      pieces++
      return connection.together(send)
    },
  }
  const piecesOf = async (...calls: readonly Call[]): Promise<number> => {
    pieces = 0
    const ran = await runTogether(counted, calls, true, plain)
    assert.ok('answers' in ran && ran.answers.every((one) => one !== null && 'outcome' in one))
    return pieces
  }

  const { familyId, authorization, owner } = await settleFamily(store)
  const of = { familyId, authorizationId: authorization.id }
  const revocation = (): Call => {
    const ended = { of, tokenId: next('token'), expiresAt: null }
    return { name: 'endToken', args: [ended, trace()] }
  }
  const redemption = (): Call => ({
    name: 'redeemCode',
    args: [sampleRedemption(authorization), trace()],
  })
  const rotation: Call = {
    name: 'rotateRefreshToken',
    args: [sampleRotation(familyId, 0), trace()],
  }
  assert.deepEqual(
    [
      await piecesOf(rotation),
      await piecesOf(redemption(), redemption()),
      await piecesOf(revocation()),
      await piecesOf(revocation(), redemption(), revocation()),
      await piecesOf({ name: 'endFamily', args: [familyId, trace()] }),
    ],
    [1, 1, 2, 2, 2],
  )
  assert.equal(await store.findStanding(familyId, start), null)
  const events = await told(store, { ownerId: owner.id })
  assert.deepEqual(events.slice(-4), [
    ...Array.from({ length: 3 }, () => 'token.revoked'),
    'family.revoked',
  ])
})
