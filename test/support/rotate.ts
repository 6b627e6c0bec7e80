/** New keys, as the operation makes them, on the parts of a service. */
import type { StoreParts } from '../../src/cli/store.ts'
import { sayRotated } from '../../src/operations/keys.ts'
import type { KeyMaker } from '../../src/tokens/keys/kinds.ts'
import { describeRotated, rotateStoredKeys, usesNamed } from '../../src/tokens/keys/operate.ts'

interface Rotation {
  readonly use?: 'signing'
  readonly now?: boolean
  readonly endTokens?: boolean
}

export const rotate = async (
  { use, now = false, endTokens = false }: Rotation,
  parts: StoreParts,
  makers?: readonly KeyMaker[],
) => {
  const { vault } = await parts.openRoot()
  const uses = usesNamed(use ?? 'both')
  const rotation = { uses, isNow: now, isEnd: endTokens, makesFirst: use !== undefined }
  const at = Math.max(Math.floor(parts.clock() / 1000), (await parts.store.latestTime()) ?? 0)
  const added = await rotateStoredKeys(rotation, at, parts.trace, { ...parts, vault }, makers)
  const answer = describeRotated(added, endTokens)
  return { ...answer, said: sayRotated(answer) }
}
