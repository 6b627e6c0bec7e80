/** A login session as the pages of an account show it: in one row. */
import { parseAgent } from '../../../http/user-agent.ts'
import type { Session } from '../../../model/session.ts'
import { renderDeviceIcon } from '../../../paper/icon.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderRow } from '../../../paper/rows.ts'
import { sayAgo, sayWhen } from '../../../paper/time.ts'
import type { View } from '../../../paper/view.ts'
import { formatBrowser, sessionWords } from '../../../paper/words/sessions.ts'
import { recordLimits } from '../../../store/limits.ts'
import type { OwnerVisit } from '../../owner-visit.ts'

/** `network` and `userAgent` are shortened; '' where not known. */
export interface ShownSession
  extends Pick<Session, 'handle' | 'network' | 'methods' | 'startedAt' | 'seenAt'> {
  readonly program: string | null
  readonly system: string | null
  readonly isThis: boolean
  /** Whether it is in the same network as that one. */
  readonly isHere: boolean
}

type SessionWords = ReturnType<typeof sessionWords>

export const describeSession = (session: Session, { login }: OwnerVisit): ShownSession => ({
  ...session,
  ...parseAgent(session.userAgent),
  isThis: session.id === login.session.id,
  isHere: session.network !== '' && session.network === login.session.network,
})

export const drawSession = ({ system }: Pick<ShownSession, 'system'>): Markup =>
  renderDeviceIcon(system, 'question')

const formatMethod = (
  { methods }: Pick<Session, 'methods'>,
  words: SessionWords,
): string | null => {
  const hasKey = methods.includes('pop') || methods.includes('swk')
  if (methods.includes('pwd')) {
    if (hasKey) return words.methods.passwordAndPasskey
    return methods.includes('otp') ? words.methods.passwordAndCode : words.methods.password
  }
  return hasKey ? words.methods.passkey : null
}

const sayNetwork = ({ network, isHere, isThis }: ShownSession, words: SessionWords): Markup => {
  if (network === '') return html`${words.unknownNetwork}`
  const shown = html`<bdi dir="ltr">${network}</bdi>`
  return isHere && !isThis ? words.sameNetwork({ network: shown }) : shown
}

/** The latest request is known to within an hour, so the page says no more than that. */
const sayActive = ({ seenAt }: ShownSession, { language, at }: View): string => {
  const words = sessionWords(language)
  const passed = at - seenAt
  return passed < recordLimits.seenSeconds
    ? words.active
    : words.activeAgo({ ago: sayAgo(passed, language) })
}

/** The method of its login, and its network. */
const sayOrigin = (session: ShownSession, words: SessionWords): Markup => {
  const method = formatMethod(session, words)
  return html`${method && html`${method}${words.comma}`}${sayNetwork(session, words)}`
}

/** The same, and when. */
export const saySession = (session: ShownSession, view: View): Markup => {
  const words = sessionWords(view.language)
  const when = session.isThis
    ? words.since({ since: sayWhen(session.startedAt, view.at, view) })
    : html`${sayActive(session, view)}`
  return html`${sayOrigin(session, words)}${words.comma}${when}`
}

/** @param end one state or action; by default the time of the latest request */
export const renderSessionRow = (
  session: ShownSession,
  view: View,
  end: Markup | null = null,
): Markup => {
  const words = sessionWords(view.language)
  return renderRow({
    mark: drawSession(session),
    title: formatBrowser(session, words),
    says: end === null ? sayOrigin(session, words) : saySession(session, view),
    end: end ?? html`<span class="starts">${sayActive(session, view)}</span>`,
  })
}
