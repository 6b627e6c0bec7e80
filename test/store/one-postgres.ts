/** One PostgreSQL for all files of tests of a process. To start one for each takes as long as many tests. */
import { findPostgres, type Postgres } from './postgres.ts'

let started: Promise<Postgres | null> | null = null
let users = 0

/** Null as `findPostgres` says. The server stops with its last user, so nobody may crash it. */
export const takePostgres = async (): Promise<Postgres | null> => {
  users++
  started ??= findPostgres()
  const postgres = await started
  if (postgres === null) return null
  return {
    ...postgres,
    crash: null,
    async stop() {
      users--
      if (users > 0) return
      started = null
      await postgres.stop()
    },
  }
}
