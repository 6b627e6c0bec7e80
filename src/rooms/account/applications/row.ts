/** One line of the list of applications. The whole line is the link; the box in front of it selects it. */
import type { Authorization } from '../../../model/authorization.ts'
import type { Client } from '../../../model/client.ts'
import { named } from '../../../paper/fields.ts'
import { icon } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderTile } from '../../../paper/tile.ts'
import { near } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import { accountLimits } from '../limits.ts'
import { accountWords } from './words.ts'

export interface ApplicationRow {
  /** Of its newest access. */
  readonly id: string
  readonly clientName: string
  readonly clientRegisteredBy: Client['registeredBy']
  /** Where this service serves its picture; null without one. */
  readonly logoPath: string | null
  /** Its permissions, in a few words. */
  readonly what: readonly string[]
  /** Whether some of them cannot be undone or cost money. */
  readonly isDestructive: boolean
  readonly isPaused: boolean
  readonly clientDisabled: boolean
  readonly installations: number
  readonly duration: Authorization['duration']
  /** Unix seconds, like all that follow; null = without an end. */
  readonly expiresAt: number | null
  readonly createdAt: number
  /** Null = never. */
  readonly lastUsedAt: number | null
}

/** Whether it is time to look at it: it has not been used for long. */
export const isUnused = (
  { lastUsedAt, createdAt }: Pick<ApplicationRow, 'lastUsedAt' | 'createdAt'>,
  now: number,
): boolean => now - (lastUsedAt ?? createdAt) >= accountLimits.unusedSeconds

/** Whether it ends soon, and not only because its owner logs out. */
export const isEnding = (
  { expiresAt, duration }: Pick<ApplicationRow, 'expiresAt' | 'duration'>,
  now: number,
): boolean =>
  expiresAt !== null && duration !== 'session' && expiresAt - now < accountLimits.endingSeconds

const used = ({ lastUsedAt }: ApplicationRow, now: number, view: View): Content => {
  const words = accountWords(view.language)
  return lastUsedAt === null ? words.neverUsed : words.used({ when: near(lastUsedAt, now, view) })
}

const ends = ({ duration, expiresAt }: ApplicationRow, now: number, view: View): Content => {
  const words = accountWords(view.language)
  if (duration === 'session') return words.endsAtLogout
  return expiresAt === null ? words.noEnd : words.ends({ when: near(expiresAt, now, view) })
}

const tags = (of: ApplicationRow, view: View): Markup => {
  const words = accountWords(view.language)
  const destructive = html`${icon('warning')}${words.isDestructive}`
  const told: readonly (readonly [boolean, string, Content])[] = [
    [of.isDestructive, ' bad', destructive],
    [of.clientDisabled, ' warn', words.isDisabled],
    [of.isPaused, ' warn', words.isPaused],
    [of.installations > 1, '', words.installed({ count: of.installations })],
  ]
  return html`${told.filter(([is]) => is).map(([, look, text]) => html` <span class="tag${look}">${text}</span>`)}`
}

export const renderApplicationRow = (of: ApplicationRow, now: number, view: View): Markup => {
  const words = accountWords(view.language)
  const client = named(of.clientName)
  const href = pageUrl(view, `/account/access/${of.id}`)
  const hasEnd = of.duration === 'session' || of.expiresAt !== null
  return html`<li>
<label class="pick"><input type="checkbox" name="access" value="${of.id}"><span class="unseen">${words.select({ client })}</span></label>
${renderTile(of.clientName, of.logoPath, { registeredBy: of.clientRegisteredBy })}
<div class="app"><a href="${href}">${client}</a>${tags(of, view)}<span class="what">${of.what.join(' · ')}</span></div>
<div class="times"><span class="used${isUnused(of, now) ? ' warn' : ''}">${used(of, now, view)}</span>
<span class="ends${isEnding(of, now) ? ' warn' : ''}${hasEnd ? '' : ' none'}">${ends(of, now, view)}</span></div>
${icon('on')}
</li>
`
}
