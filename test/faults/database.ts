/** A PostgreSQL whose files lie in memory where they can: here it is not the disk that fails. */
import { existsSync } from 'node:fs'
import { findPostgres, type Postgres } from '../store/postgres.ts'
import { memory } from './folder.ts'

export const findPostgresInMemory = (): Promise<Postgres | null> => {
  if (existsSync(memory)) process.env.TMPDIR = memory
  return findPostgres()
}
