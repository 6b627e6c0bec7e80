/** A link for a user, which the operator passes on, or a mail brings. */
import type { Answer } from '../../../http/answer.ts'
import type { Owner } from '../../../model/owner.ts'
import { createLink } from '../../../operations/owner-access.ts'
import type { OwnerLinkPurpose } from '../../../owners/links.ts'
import type { ServiceParts } from '../../../registries.ts'
import { showPage } from '../../visit.ts'
import { perform } from '../perform.ts'
import { ownerPath } from '../pieces.ts'
import { answerConsole, type ConsoleVisit } from '../visit.ts'
import { renderOwnerLink } from './owner-link-page.ts'

/** Shows the link this once: it stands on the answer to the form, and in no address of a page. */
export const answerOwnerLink = async (
  purpose: OwnerLinkPurpose,
  owner: Owner,
  visit: ConsoleVisit,
  parts: ServiceParts,
): Promise<Answer> => {
  const asked = { operation: createLink, given: { purpose }, id: owner.id }
  const { link, expires_at: expiresAt } = await perform(visit, asked, parts)
  const made = { link: String(link), expiresAt: Number(expiresAt) }
  return showPage(visit, renderOwnerLink(visit.given, owner, made), { hasScript: true })
}

export const sendOwnerLink = async (
  purpose: OwnerLinkPurpose,
  owner: Owner,
  visit: ConsoleVisit,
  parts: ServiceParts,
): Promise<Answer> => {
  await perform(visit, { operation: createLink, given: { purpose, send: true } }, parts)
  return answerConsole(visit, ownerPath(owner.id), 'sent')
}
