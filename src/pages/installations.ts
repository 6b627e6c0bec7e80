/** An application with several installations: one card, in which each access can be opened. */
import {
  type AccountAuthorization,
  type CardGiven,
  renderAccess,
  renderApplicationCard,
} from './application-card.ts'
import { hidden, named, noEnter } from './fields.ts'
import { html, type Markup } from './markup.ts'
import { renderProvenance } from './provenance.ts'
import { moment, number } from './time.ts'
import { pageUrl } from './view.ts'
import { accountWords } from './words/account.ts'

const renderInstallation = (of: AccountAuthorization, given: CardGiven): Markup => {
  const { language } = given.view
  const words = accountWords[language]
  const since = moment(of.createdAt, given.view)
  const used = of.lastUsedAt === null ? words.never : moment(of.lastUsedAt, given.view)
  const isOpen = given.badEnd?.id === of.id
  return html`<details class="more"${isOpen ? html` open` : null}><summary>${words.since} ${since}. ${words.lastUsed}: ${used}</summary>
${renderAccess(of, given)}
</details>
`
}

/** @param accesses of installations that look alike, the newest first */
export const renderInstallations = (
  accesses: readonly AccountAuthorization[],
  given: CardGiven,
): Markup => {
  const [newest] = accesses
  if (newest === undefined) return html``
  if (newest.installations === undefined) {
    return html`${accesses.map((of) => renderApplicationCard(of, given))}`
  }
  const { view, csrf } = given
  const words = accountWords[view.language]
  const client = named(newest.clientName)
  const count = number(newest.installations.count, view.language)
  return html`<section class="card">
<h2>${client}</h2>
${renderProvenance(newest, view.language)}
<p>${words.installations({ client, count })}</p>
<form method="post" action="${pageUrl(view, '/account', { after: given.after })}">
${noEnter}
${hidden('csrf', csrf)}
${hidden('authorization', newest.id)}
<p class="actions"><button class="danger" type="submit" name="action" value="end-installations">${words.endInstallations({ count })}<span class="unseen">${words.endOf({ client })}</span></button></p>
</form>
${accesses.map((of) => renderInstallation(of, given))}
</section>
`
}
