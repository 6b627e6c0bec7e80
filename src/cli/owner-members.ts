/** What the flags of a command say about an owner. */
import type { Flags } from './store.ts'

/** Members of the flag `--attributes`; none without it. */
export const attributesIn = ({ attributes }: Flags): { readonly attributes?: unknown } => {
  if (typeof attributes !== 'string') return {}
  try {
    return { attributes: JSON.parse(attributes) }
  } catch {
    throw new Error('--attributes has to be a JSON object')
  }
}

/** Everything but the password, as the admin API takes it. */
export const membersIn = (flags: Flags): Readonly<Record<string, unknown>> => {
  const { username, name, email } = flags
  return {
    username,
    ...(name ? { name } : {}),
    ...(email ? { email } : {}),
    ...attributesIn(flags),
  }
}
