/** The line of the account page that leads to the accesses by issuers, ended ones too. */
import { html } from '../../paper/markup.ts'
import { pageUrl } from '../../paper/view.ts'
import type { FindAccountNote } from '../../rooms/account/needs.ts'
import { issuerWords } from './words.ts'

export const findIssuersNote: FindAccountNote = async ({ login, at, view }, { store }) => {
  const accesses = await store.listIssuerAccessesOf(login.owner.id, at)
  if (accesses.length === 0) return null
  const { heading } = issuerWords(view.language)
  return html`<p class="off-paper"><a href="${pageUrl(view, '/account/issuers')}">${heading}</a></p>`
}
