/** The clients that a stricter profile would break. Such a client is no weakness, so the list stands beside the findings. */
import { listStricter, type StricterProfile } from '../../clients/stricter.ts'
import { sayForbidden } from '../../protocol/profile.ts'
import type { StoreParts } from '../store.ts'

/** As `latchkey doctor --json` tells it. */
export interface ToldProfile {
  readonly profile: string
  readonly clients: readonly {
    readonly client_id: string
    readonly client_name: string | null
    readonly breaks: readonly {
      readonly rule: string
      readonly said: string
      /** As in `2026-11-26` (UTC). */
      readonly last: string
    }[]
  }[]
}

const tellProfile = ({ profile, clients }: StricterProfile): ToldProfile => ({
  profile,
  clients: clients.map(({ clientId, name, rules }) => ({
    client_id: clientId,
    client_name: name,
    breaks: rules.map(({ rule, lastDay }) => ({
      rule,
      said: sayForbidden(rule, profile),
      last: new Date(lastDay * 1000).toISOString().slice(0, 10),
    })),
  })),
})

/** Writes the counts of this process first. */
export const findStricter = async (parts: StoreParts): Promise<readonly ToldProfile[]> => {
  await parts.counts.flush()
  const at = Math.floor(parts.clock() / 1000)
  return (await listStricter(null, at, parts)).map(tellProfile)
}

export const renderProfile = ({ profile, clients }: ToldProfile): string => {
  const many = clients.length === 1 ? '1 application' : `${clients.length || 'no'} applications`
  const lines = clients.flatMap(({ client_id: id, client_name: name, breaks }) => [
    `  ${id === '*' ? 'further applications' : `${id}  ${name}`}`,
    ...breaks.map(({ rule, said, last }) => `    ${said}  [${rule}, last on ${last}]`),
  ])
  return [
    `LATCHKEY_PROFILE=${profile} would break ${many}, by what they did in the last 30 days.`,
    ...lines,
  ].join('\n')
}
