/** What people bring from another server beside their password: groups, and a second factor. */
import { decodeBase32 } from '../crypto/one-time-code.ts'
import { getCodesPurpose, type Vault } from '../crypto/wrap.ts'
import { groupLimits, isGroupName } from '../model/group.ts'
import type { OwnerId } from '../model/ids.ts'
import type { Z } from '../protocol/schema.ts'
import type { BroughtAlong } from '../store/contract/owner.ts'

/** 128 bits at least (RFC 4226 section 4, R6). */
const secretLength = { least: 16, most: 64 } as const

const decodeSeed = (text: string): Uint8Array | null => {
  const bytes = decodeBase32(text)
  const { least, most } = secretLength
  return bytes !== null && bytes.length >= least && bytes.length <= most ? bytes : null
}

/** Members of an imported owner. */
export const listBrought = (z: Z) => ({
  groups: z
    .array(
      z
        .string()
        .transform((name) => name.normalize('NFC'))
        .refine(isGroupName),
    )
    .max(groupLimits.ofSource)
    .optional()
    .describe(`a list of at most ${groupLimits.ofSource} names of groups`),
  one_time_code_secret: z
    .string()
    .max(200)
    .refine((text) => decodeSeed(text) !== null)
    .optional()
    .describe(
      `the base32 secret of one-time codes, of ${secretLength.least} to ${secretLength.most} bytes`,
    ),
})

/** @param given members whose form was checked */
export const readBrought = (
  { groups, one_time_code_secret: secret }: Readonly<Record<string, unknown>>,
  ownerId: OwnerId,
  vault: Vault | null,
): BroughtAlong => {
  const names = Array.isArray(groups) ? groups.map((name) => String(name).normalize('NFC')) : []
  const bytes = typeof secret === 'string' ? decodeSeed(secret) : null
  const codes =
    bytes === null || vault === null ? null : vault.wrap(bytes, getCodesPurpose(ownerId))
  return { groups: names, codes }
}
