/** `security.txt` (RFC 9116): where to report a weakness of this service. */
import type { Settings } from '../../config/settings.ts'
import type { Answer } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { asset, type RouteRow } from '../../route.ts'

const day = 86_400

/** A reader takes the text as right for so long, and the text is written anew each day. */
const validDays = 30

/** @param at unix seconds */
const renderSecurityText = (contact: string, issuer: string, at: number): string => {
  const expires = new Date((Math.floor(at / day) + validDays) * day * 1000)
  return [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString().replace('.000Z', 'Z')}`,
    `Canonical: ${issuer}/.well-known/security.txt`,
    '',
  ].join('\n')
}

export const openSecurityText = ({
  settings: { securityContact, issuer },
}: {
  readonly settings: Pick<Settings, 'securityContact' | 'issuer'>
}): RouteRow => ({
  ...asset,
  path: '/.well-known/security.txt',
  handler({ at }: Exchange): Answer {
    if (securityContact === null) {
      throw new Refusal('not_found', 'no_security_contact', 'there is no security contact')
    }
    const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'max-age=3600' }
    return { status: 200, headers, body: renderSecurityText(securityContact, issuer, at) }
  },
})
