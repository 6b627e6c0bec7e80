/** Mails over SMTP (RFC 5321), by TLS from the start, or by STARTTLS (RFC 3207). */
import { isLoopback } from '../config/issuer.ts'
import { runForHost } from '../http/outbound-exchange.ts'
import { stripBrackets } from '../model/sector.ts'
import type { OutgoingMail } from './compose.ts'
import { mailLimits } from './limits.ts'

export class MailFault extends Error {
  /** Whether the same mail would fail again. */
  readonly isFinal: boolean

  /** @param said a code of the program or server, without a name or a secret */
  constructor(said: string, isFinal: boolean) {
    super(said)
    this.isFinal = isFinal
  }
}

/**
 * @param signal ends it, since the service ends
 * @throws MailFault
 */
export type SendMail = (mail: OutgoingMail, signal: AbortSignal) => Promise<void>

/** Faults that an operator can mend, by the code of nodemailer. */
const remedies: Readonly<Record<string, string>> = {
  ETLS: 'the server offers no STARTTLS, which a remote one needs: use smtps://, or another server',
  EAUTH: 'the server refuses the username or password',
  EDNS: 'the name of the server is not known',
  ECONNECTION: 'the server cannot be reached',
  ETIMEDOUT: 'the server does not answer',
  EABORT: 'the service ended before the server answered',
}

const findRemedy = (code: string, message: string): string | undefined => {
  if (/certificate|altname/i.test(message)) return 'the certificate of the server is not trusted'
  return code === 'ESOCKET' ? remedies.ECONNECTION : remedies[code]
}

/** What a fault of nodemailer tells without names: its code, the status of the server, a remedy. */
const faultOf = (fault: unknown): MailFault => {
  const { code, responseCode, message } = Object(fault) as Readonly<Record<string, unknown>>
  const status = Number(responseCode ?? 0)
  const said = `${String(code ?? 'fault')} ${status || ''}`.trim()
  const remedy = findRemedy(String(code), String(message))
  // A wrong password or certificate can be mended. A refused recipient or text stays refused
  // (section 4.2.1).
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  const isFinal = isAboutMail && (status === 0 || status >= 500)
  return new MailFault(remedy === undefined ? said : `${said}: ${remedy}`, isFinal)
}

/**
 * The transport of the settings. Nodemailer is read where mail is sent only.
 *
 * @param smtp checked by the settings
 * @param from the address that mails come from
 */
export const openSmtp = async (smtp: string, from: string): Promise<SendMail> => {
  const { createTransport } = await import('nodemailer')
  const { protocol, hostname, port, username, password } = new URL(smtp)
  const host = stripBrackets(hostname)
  const secure = protocol === 'smtps:'
  const isNear = isLoopback(host)
  const transport = createTransport({
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isNear,
    ignoreTLS: !secure && isNear,
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: mailLimits.connectMilliseconds,
    greetingTimeout: mailLimits.connectMilliseconds,
    socketTimeout: mailLimits.answerMilliseconds,
    socketCloseTimeout: mailLimits.closeMilliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ to, sender, subject, text, html }, signal) => {
    try {
      const mail = {
        from: { name: sender, address: from },
        // Exactly one recipient, whatever its text looks like: a text is read as a list.
        to: { name: '', address: to },
        subject,
        text,
        html,
        // No automatic answers (RFC 3834 section 5).
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal,
      }
      await runForHost(host, () => transport.sendMail(mail))
    } catch (fault) {
      throw faultOf(fault)
    }
  }
}
