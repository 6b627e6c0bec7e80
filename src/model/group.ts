/** Groups of owners: flat names that the operator, or a directory, gives. */
import { type GroupId, isId } from './ids.ts'

/** A group as it is stored. */
export interface StoredGroup {
  readonly id: GroupId
  /** Compared as it is written, in NFC. */
  readonly name: string
  /** Unix seconds. */
  readonly createdAt: number
  /** Unix seconds of the latest change of its name or its members. */
  readonly changedAt: number
  /** Each change of its name or its members counts it up. */
  readonly revision: number
}

export const groupNameCharacters = 100

/**
 * Names go into one line of text each, so none has a line break, and none has what nobody sees. None looks like
 * an id, or is a step in a path.
 */
export const isGroupName = (text: string): boolean =>
  [...text].length <= groupNameCharacters &&
  text === text.normalize('NFC') &&
  /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(text) &&
  !/[\p{Default_Ignorable_Code_Point}\u2800]/u.test(text) &&
  !/^ | $|^\.{1,2}$/.test(text) &&
  !isId(text)

/** Bounds of groups. */
export const groupLimits = {
  /** All groups of the service. */
  groups: 10_000,
  /** Of one owner, by one source: the operator, or one upstream. */
  ofSource: 1000,
  /** Owners that one request names. */
  changed: 1000,
  /** Names in one list of a client. */
  ofClient: 100,
} as const
