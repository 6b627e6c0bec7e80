/** A link for a user, which the operator passes on, or a mail brings. */
import type { Answer } from '../../../http/answer.ts'
import type { Owner } from '../../../model/owner.ts'
import { handOver, sendOver } from '../../../owners/hand-over.ts'
import type { OwnerLinkPurpose } from '../../../owners/links.ts'
import { traceOf } from '../../../parts.ts'
import type { EndpointParts } from '../../../registries.ts'
import { showPage } from '../../visit.ts'
import { ownerPath } from '../pieces.ts'
import { answerConsole, type ConsoleVisit } from '../visit.ts'
import { renderOwnerLink } from './owner-link-page.ts'

/** Shows the link this once: it stands on the answer to the form, and in no address of a page. */
export const answerOwnerLink = async (
  purpose: OwnerLinkPurpose,
  owner: Owner,
  visit: ConsoleVisit,
  parts: EndpointParts,
): Promise<Answer> => {
  const key = parts.keyring.current()
  const made = await handOver(purpose, owner, traceOf(visit, parts), { ...parts, key })
  return showPage(visit, renderOwnerLink(visit.given, owner, made), { hasScript: true })
}

export const sendOwnerLink = async (
  purpose: OwnerLinkPurpose,
  owner: Owner,
  visit: ConsoleVisit,
  parts: EndpointParts,
): Promise<Answer> => {
  await sendOver(purpose, owner, traceOf(visit, parts), parts)
  return answerConsole(visit, ownerPath(owner.id), 'sent')
}
