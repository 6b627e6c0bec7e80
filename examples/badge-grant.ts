/** A further grant type (RFC 6749 section 4.5): an owner holds a badge to a reader at the door. */
import { type Grant, Refusal } from '../src/index.ts'

/** Which owner a badge belongs to; in life this asks the badge system. */
const badges: Readonly<Record<string, string>> = { '04:a2:19:7c': 'alice', '04:77:e0:31': 'bob' }

export const badgeGrant: Grant = {
  type: 'urn:example:grant-type:badge',
  clients: 'confidential',
  async redeem({ parameters, asked }, { store }) {
    const username = badges[parameters.require('badge')]
    const owner = username === undefined ? null : await store.findOwnerByName(username)
    if (owner === null || owner.disabled) {
      throw new Refusal('invalid_grant', 'unknown_badge', 'nobody has this badge')
    }
    return { for: 'owner', ownerId: owner.id, permissions: asked() }
  },
}
