/** The table of owners whom a directory has disabled. */

const table = 'directory_leavers'

export const leaversOwned = table

export const leaversMarked = `${table}` as const
