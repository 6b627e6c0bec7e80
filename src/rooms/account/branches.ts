/** The tree of those who act for an application by token exchange (RFC 8693), on its pages and in the list. */
import type { AuthorizationId } from '../../model/ids.ts'
import { sayActor } from '../../paper/acting.ts'
import { html, type Markup } from '../../paper/markup.ts'
import { renderTile } from '../../paper/tile.ts'
import { sayWhen } from '../../paper/time.ts'
import { pageUrl, type View } from '../../paper/view.ts'
import type { ListedAuthorization } from '../../store/contract/authorization.ts'
import { accountWords } from './applications/words.ts'

type Shown = Pick<
  ListedAuthorization,
  | 'id'
  | 'clientName'
  | 'clientRegisteredBy'
  | 'parentClientName'
  | 'clientDisabled'
  | 'paused'
  | 'lastUsedAt'
>

/** An application that acts for another one, and the ones below it. */
export interface Branch extends Shown {
  readonly below: readonly Branch[]
}

/**
 * @param all authorizations of one owner
 * @returns finds the branches below some of them
 */
export const groupBranches = (all: readonly ListedAuthorization[]) => {
  const byParent = Map.groupBy(all, ({ parentId }) => parentId)
  const list = (above: readonly AuthorizationId[]): readonly Branch[] =>
    above.flatMap((id) =>
      (byParent.get(id) ?? []).map((one) => ({ ...one, below: list([one.id]) })),
    )
  return list
}

/** @param now unix seconds */
export const renderBranches = (
  branches: readonly Branch[],
  now: number,
  view: View,
): Markup | null => {
  if (branches.length === 0) return null
  const words = accountWords(view.language)
  const tags = ({ clientDisabled, paused }: Branch): Markup =>
    html`${clientDisabled ? html` <span class="tag">${words.isDisabled}</span>` : null}${paused === null ? null : html` <span class="tag">${words.isPaused}</span>`}`
  const line = (of: Branch): Markup => {
    const used =
      of.lastUsedAt === null
        ? words.neverUsed
        : words.used({ when: sayWhen(of.lastUsedAt, now, view) })
    const tile = renderTile(of.clientName, null, {
      size: 'little',
      registeredBy: of.clientRegisteredBy,
    })
    return html`<li><div class="who">${tile}<div><a href="${pageUrl(view, `/account/access/${of.id}`)}">${sayActor(of, view.language)}</a>${tags(of)} <span class="quiet">${used}</span></div></div>${renderBranches(of.below, now, view)}</li>
`
  }
  return html`<ul class="branches">
${branches.map(line)}</ul>`
}
