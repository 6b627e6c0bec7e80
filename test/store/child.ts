/** A second process for the tests: opens the database and writes, telling what was acknowledged. */
import { writeSync } from 'node:fs'
import type { Authorization } from '../../src/model/authorization.ts'
import type { FamilyId } from '../../src/model/ids.ts'
import { openSqliteStore } from '../../src/store/sql/open.ts'
import type { Store } from '../../src/store/store.ts'
import { countFrom, next, together, trace } from './moments.ts'
import { sampleRotation } from './sample.ts'
import { settle } from './settle.ts'

const [, , path = '', round = '0'] = process.argv
countFrom(Number(round) * 1_000_000)

/** A pipe that is full takes nothing until somebody has read from it. */
const isFull = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EAGAIN'

const say = (line: string): void => {
  for (;;) {
    try {
      writeSync(1, `${line}\n`)
      return
    } catch (error) {
      if (!isFull(error)) throw error
    }
  }
}

/** Begins a family, refreshes it twice and ends every other one; tells of each answer at once. */
const live = async (store: Store, under: Authorization, revoke: boolean): Promise<void> => {
  const familyId = next('family') as FamilyId
  await store.startFamily({ familyId, under, expiresAt: null }, trace())
  say(`${familyId} 0`)
  for (const generation of [0, 1]) {
    await store.rotateRefreshToken(sampleRotation(familyId, generation), trace())
    say(`${familyId} ${generation + 1}`)
  }
  if (!revoke) return
  await store.endFamily(familyId, trace())
  say(`${familyId} ended`)
}

const work = async (): Promise<void> => {
  const store = await openSqliteStore({ path })
  const { authorization } = await settle(store)
  for (;;) await together(40, (i) => live(store, authorization, i % 2 === 0))
}

work().catch((error: unknown) => {
  say(`refused: ${error instanceof Error ? error.message : 'not an error'}`)
})
