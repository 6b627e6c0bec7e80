/**
 * Logins with a browser that the owner has not used before. The event of the login says so, and a mail
 * tells the owner. So a thief with the password does not stay unseen.
 */
import type { Settings } from '../config/settings.ts'
import { findLanguage, preferredLanguage } from '../http/language.ts'
import type { HttpRequest } from '../http/request.ts'
import { familiarAgentOf } from '../http/user-agent.ts'
import type { Clock, Random } from '../model/ids.ts'
import type { Language } from '../model/language.ts'
import type { NewBrowser } from '../model/mail.ts'
import type { Tell } from '../model/notice.ts'
import type { Owner } from '../model/owner.ts'
import type { Session } from '../model/session.ts'
import type { Store, Trace } from '../store/store.ts'
import { queueMail } from './ask-mail.ts'
import { newBrowserCounter } from './counters.ts'
import { canMail } from './ways-in.ts'

/** The owner's language. The browser may be a stranger's, so it is asked last. */
const languageFor = (
  { pages, claims }: Owner,
  { headers }: HttpRequest,
  { languages }: { readonly languages: readonly Language[] },
): Language =>
  findLanguage(pages.language, languages) ??
  findLanguage(claims.locale ?? null, languages) ??
  preferredLanguage(headers.get('accept-language'), languages)

/** Queues the mail about a login. A fault is told, and the login stands. */
export const mailOfNewBrowser = async (
  owner: Owner,
  { network, userAgent }: Session,
  request: HttpRequest,
  trace: Trace,
  parts: {
    readonly settings: Settings
    readonly store: Store
    readonly clock: Clock
    readonly random: Random
    readonly tell: Tell
    readonly languages: readonly Language[]
  },
): Promise<void> => {
  if (!canMail(parts) || owner.email === '') return
  try {
    const admitted = await parts.store.admitAttempt([newBrowserCounter(owner.id)], trace)
    if (admitted.outcome === 'wait') return
    const login: NewBrowser = {
      to: owner.email,
      at: trace.at,
      network,
      ...familiarAgentOf(userAgent),
    }
    const mail = {
      kind: 'browser',
      ownerId: owner.id,
      about: JSON.stringify(login),
      language: languageFor(owner, request, parts).tag,
      waits: false,
    } as const
    await queueMail(mail, trace.at, parts)
  } catch (fault) {
    const told = { message: 'the mail about a login was not queued', fault: String(fault) }
    parts.tell({ level: 'warn', ...told })
  }
}
