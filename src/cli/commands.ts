/** The commands on a store, by name. These commands run on the store itself, or in the service on it. */
import { examine } from './doctor/examine.ts'
import { initialise } from './init.ts'
import { listKeys, rewrapKeys, rotateKeys, withdrawKey } from './keys.ts'
import { issueOperatorCode } from './operator.ts'
import { exportPage, importBatch } from './people/batch.ts'
import type { Flags, StoreParts } from './store.ts'
import { verifyPage } from './verify/page.ts'

type StoreCommand = (flags: Flags, parts: StoreParts) => Promise<string>

export const storeCommands = {
  init: initialise,
  'owner import': importBatch,
  'owner export': exportPage,
  'key list': listKeys,
  'key rotate': rotateKeys,
  'key withdraw': withdrawKey,
  'key rewrap': rewrapKeys,
  operator: issueOperatorCode,
  doctor: examine,
  verify: verifyPage,
} as const satisfies Readonly<Record<string, StoreCommand>>

export type StoreCommandName = keyof typeof storeCommands

/** Commands that may come before the first start. Other commands have no use for an empty database. */
const first: readonly StoreCommandName[] = ['init', 'owner import']

export const mayMakeDatabase = (name: StoreCommandName): boolean => first.includes(name)

export const isStoreCommand = (name: unknown): name is StoreCommandName =>
  typeof name === 'string' && Object.hasOwn(storeCommands, name)
