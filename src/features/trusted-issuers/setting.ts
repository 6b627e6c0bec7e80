/** The setting `issuers`. */
import { parseMemberList } from '../../config/members.ts'
import { describeIssuer, readTrustedIssuer, type TrustedIssuer } from './issuer.ts'
import { issuerLimits } from './limits.ts'

const none: readonly TrustedIssuer[] = []

export const issuerSettings = {
  /** Created at the first start that sees their ids; later the store has them. */
  issuers: {
    parse: parseMemberList({
      called: 'issuers',
      most: issuerLimits.issuers,
      needed: '"id", "issuer", "title", "owner", "grants", "scope" and keys',
      twice: (id) => `but "${id}" is there twice`,
      read: readTrustedIssuer,
    }),
    fallback: none,
    meaning:
      'Issuers whose JWTs open access for owners, as a list of objects (in the environment as JSON): see trusted-issuers.md. Each is created at the first start that sees its id.',
    when: 'A company decides for its people what applications may do here.',
  },
} as const

/** Whether a stored issuer is as the setting says. */
export const isSameIssuer = (one: TrustedIssuer, other: TrustedIssuer): boolean =>
  JSON.stringify(describeIssuer(one)) === JSON.stringify(describeIssuer(other))
