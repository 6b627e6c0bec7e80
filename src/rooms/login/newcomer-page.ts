/**
 * The page for somebody whom an upstream knows and nobody here. An email address opens no account, not
 * even a verified one: whoever has an account links it, and anybody else makes a new one.
 */

import type { Answer } from '../../http/answer.ts'
import { textIn } from '../../model/language.ts'
import { beginCeremony, type NewUpstreamOwner } from '../../owners/ceremony.ts'
import { maySignUp } from '../../owners/upstream-owner.ts'
import { hidden, waitingFields } from '../../paper/fields.ts'
import { html } from '../../paper/markup.ts'
import { renderNewcomer } from '../../paper/upstreams.ts'
import { pageUrl } from '../../paper/view.ts'
import type { EndpointParts } from '../../registries.ts'
import type { Upstream } from '../../upstreams/index.ts'
import { showPage } from '../visit.ts'
import type { LoginVisit } from './entered.ts'

export const meetNewcomer = (
  person: NewUpstreamOwner,
  upstream: Upstream,
  visit: LoginVisit,
  parts: EndpointParts,
): Answer => {
  const { view, csrf, journey, next, stranger, at } = visit
  const { settings } = upstream
  const { text } = beginCeremony('new upstream owner', person, stranger, at, parts)
  const fields = html`${hidden('csrf', csrf)}${waitingFields(journey, next)}${hidden('ceremony', text)}`
  const page = renderNewcomer({
    view,
    upstream: { id: settings.id, title: textIn(settings.title, view.language) },
    label: person.email || person.username,
    form: maySignUp(upstream, parts) ? fields : null,
    back: pageUrl(view, '/login', { journey, next }),
  })
  return showPage(visit, page)
}
