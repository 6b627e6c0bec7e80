/** The PostgreSQL store passes the store contract. */
import { after, test } from 'node:test'
import { systemRandom as random } from '../../src/crypto/digest.ts'
import { openPostgresStore } from '../../src/store/sql/open.ts'
import { type Opened, storeContract } from './contract.ts'
import { findPostgres } from './postgres.ts'

const postgres = await findPostgres()
if (postgres === null) {
  test('no PostgreSQL here (LATCHKEY_TEST_POSTGRES names one): its suite is left out')
} else {
  after(() => postgres.stop())
  const open = async (): Promise<Opened> => {
    const url = await postgres.newDatabase()
    let store = await openPostgresStore({ url, random })
    return {
      store,
      reopen: async () => {
        await store.close()
        store = await openPostgresStore({ url, random })
        return store
      },
      dispose: () => store.close(),
    }
  }
  storeContract('PostgreSQL', open)
}
