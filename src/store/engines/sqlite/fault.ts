/** What an error of SQLite means for the store, and how the operator is told of it. */
import { StoreFault } from '../../fault.ts'

/** SQLite's number of an error; 0 for other errors. */
export const getFaultCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : 0

/**
 * Errors after which no read of the disk can be trusted: damage (11, 26), and a failed fsync
 * (IOERR_FSYNC, IOERR_DIR_FSYNC). An fsync must never be retried: the second one succeeds without
 * writing anything.
 */
export const isFatal = (fault: number): boolean =>
  [11, 26].includes(fault & 0xff) || [1034, 1290].includes(fault)

export const diskFull = 'the disk is full'
const notWritable = 'this process may not write it'

/** 13 is SQLITE_FULL. 4874 (IOERR_SHMSIZE): there is no room for the index of the journal. */
export const isFull = (fault: number): boolean => (fault & 0xff) === 13 || fault === 4874

/** SQLITE_READONLY_DBMOVED. */
export const moved = 1032

const sqliteReasons: Readonly<Record<number, string>> = {
  8: notWritable,
  [moved]:
    'its file was removed or replaced, so what is written would end with this process; put the file back before you end the service (docs/moving.md)',
  13: diskFull,
  14: 'this process may not open it',
  4874: diskFull,
}

const systemReasons: Readonly<Record<string, string>> = {
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  EROFS: notWritable,
  EACCES: notWritable,
  EPERM: notWritable,
}

/** Undefined where its number says nothing to an operator. */
export const findSqliteReason = (fault: number): string | undefined =>
  sqliteReasons[fault] ?? sqliteReasons[fault & 0xff]

/** Why a database file could not be used, in words for the operator; null where it is no such error. */
export const findReason = (error: unknown): string | null => {
  const fault = getFaultCode(error)
  if (fault !== 0) return findSqliteReason(fault) ?? `SQLite error ${fault}`
  if (!(error instanceof Error) || !('code' in error)) return null
  return systemReasons[String(error.code)] ?? String(error.code)
}

/** Names the step and SQLite's error, and never the values. */
export const failed = (name: string, fault: number): StoreFault => {
  const reason = findSqliteReason(fault)
  const words = reason === undefined ? '' : `: ${reason}`
  return new StoreFault('failed', `the store failed in ${name} (SQLite error ${fault}${words})`)
}
