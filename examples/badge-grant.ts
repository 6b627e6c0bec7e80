/** A further grant type (RFC 6749 section 4.5): an owner holds a badge to a reader at the door. */
import { type ExtensionGrant, Refusal } from '../src/index.ts'

/** Which owner a badge belongs to; in life this asks the badge system. */
const badges: Readonly<Record<string, string>> = { '04:a2:19:7c': 'alice', '04:77:e0:31': 'bob' }

export const badgeGrant: ExtensionGrant = {
  type: 'urn:example:grant-type:badge',
  clients: 'confidential',
  async redeem({ parameters, asked }, { findOwnerByName }) {
    const username = badges[parameters.require('badge')]
    const owner = username === undefined ? null : await findOwnerByName(username)
    if (owner === null) {
      throw new Refusal('invalid_grant', 'unknown_badge', 'nobody has this badge')
    }
    return { for: 'owner', ownerId: owner.id, permissions: asked() }
  },
}
