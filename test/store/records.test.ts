/** The records of the store: every table and every method stands in one, and what is missing is named. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, type TestContext, test } from 'node:test'
import { openSqlite } from '../../src/store/engines/sqlite/sqlite.ts'
import { defineTable } from '../../src/store/sql/columns.ts'
import type { Invalidations, ReadsOf, StepsOf, StoreRecord } from '../../src/store/sql/record.ts'
import {
  invalidates,
  localTables,
  type Recorded,
  reads,
  recordSteps,
  tables,
} from '../../src/store/sql/records.ts'
import { sources } from '../shape/source.ts'
import { newPath } from './folder.ts'
import { schemaOf } from './lived.ts'

interface Found {
  readonly name: string
  readonly key: readonly string[]
  readonly columns: readonly string[]
}

describe('the tables of the schema', () => {
  const newSchema = async (t: TestContext) => {
    const path = newPath(t)
    await (await openSqlite({ path })).close()
    return { path, found: schemaOf(path) as readonly Found[] }
  }

  const inOrder = ({ name, key, columns }: Found): Found => ({
    name,
    key,
    columns: columns.toSorted(),
  })

  test('stand in one record each, with their key and all of their columns', async (t) => {
    const { found } = await newSchema(t)
    const copied = found.filter(({ name }) => !localTables.some((local) => local.name === name))
    const byName = (a: Found, b: Found) => (a.name < b.name ? -1 : 1)
    assert.deepEqual(tables.map(inOrder).sort(byName), copied.map(inOrder).sort(byName))
    const names = found.map(({ name }) => name)
    assert.deepEqual(
      localTables.filter(({ name }) => !names.includes(name)),
      [],
    )
  })

  test('come after those that their rows refer to', async (t) => {
    const { path } = await newSchema(t)
    const database = new DatabaseSync(path)
    const names = tables.map(({ name }) => name)
    const references = names.flatMap((name) =>
      database
        .prepare(`pragma foreign_key_list("${name}")`)
        .all()
        .map((key) => ({ from: name, to: String(key.table) })),
    )
    database.close()
    assert.ok(references.length >= 7)
    assert.deepEqual(
      references.filter(({ from, to }) => names.indexOf(to) >= names.indexOf(from)),
      [],
    )
  })
})

describe('the methods of the records', () => {
  const outside = sources.filter(({ path }) => !path.startsWith('store/')).map(({ code }) => code)
  const unusedOf = (names: readonly string[]) =>
    names.filter((name) => !outside.some((code) => new RegExp(`\\b${name}\\b`).test(code)))

  test('are all used outside the store', () => {
    assert.deepEqual(unusedOf([...Object.keys(reads), ...Object.keys(recordSteps)]), [])
    assert.deepEqual(unusedOf(['findClient', 'findNothingAtAll']), ['findNothingAtAll'])
  })
})

interface PlantedSteps {
  findPlanted(id: string): Promise<string | null>
  keepPlanted(id: string): Promise<boolean>
}

/** The compiler reads these lines; an error that it does not find is one itself. */
describe('the compiler', () => {
  const planted: StoreRecord<PlantedSteps> = {
    tables: [defineTable('planted', { id: 'text' }, { key: 'id', restored: 'all' })],
    reads: { findPlanted: async (_read, id) => id },
    steps: {
      // biome-ignore lint/correctness/useYield: it has nothing to write
      *keepPlanted() {
        return true
      },
    },
    invalidates: { keepPlanted: 'nothing' },
  }
  const accept = (record: StoreRecord<PlantedSteps>): void => assert.ok(record)

  test('takes a record that is whole', () => accept({ ...planted }))

  test('names a read that is missing', () => {
    // @ts-expect-error
    accept({ ...planted, reads: {} })
  })

  test('names a step that is missing, and one that the contract does not have', () => {
    // @ts-expect-error
    accept({ ...planted, steps: {} })
    // @ts-expect-error
    accept({ ...planted, steps: { ...planted.steps, losePlanted: planted.steps.keepPlanted } })
  })

  test('names a step that does not say what it invalidates', () => {
    // @ts-expect-error
    accept({ ...planted, invalidates: {} })
  })

  test('names a table that does not say what a restore makes of it', () => {
    // @ts-expect-error
    accept({ ...planted, tables: [defineTable('planted', { id: 'text' }, { key: 'id' })] })
  })

  test('names what the list of records lacks', () => {
    // @ts-expect-error
    const lacksReads: ReadsOf<Recorded & PlantedSteps> = reads
    // @ts-expect-error
    const lacksSteps: StepsOf<Recorded & PlantedSteps> = recordSteps
    // @ts-expect-error
    const lacksInvalidations: Invalidations<Recorded & PlantedSteps> = invalidates
    for (const list of [lacksReads, lacksSteps, lacksInvalidations]) {
      assert.equal(Object.hasOwn(list, 'keepPlanted') || Object.hasOwn(list, 'findPlanted'), false)
    }
  })
})
