/** Mails over SMTP (RFC 5321), by TLS from the start, or by STARTTLS (RFC 3207). */
import { isLoopback } from '../config/issuer.ts'
import { mailLimits } from '../config/mail-limits.ts'
import type { Settings } from '../config/settings.ts'
import { MailFault, type SendMail } from './transport.ts'

/** What a fault of nodemailer tells without names: its code and the status of the server. */
const faultOf = (fault: unknown): MailFault => {
  const { code = '', responseCode = 0 } = Object(fault) as {
    readonly code?: unknown
    readonly responseCode?: unknown
  }
  const status = Number(responseCode)
  // A wrong password or certificate can be mended; a refused recipient stays refused (section 4.2.1).
  const isFinal = code === 'EENVELOPE' && (status === 0 || status >= 500)
  return new MailFault(`${String(code)} ${status || ''}`.trim(), isFinal)
}

/**
 * The transport of the settings. It is read where mail is sent only.
 *
 * @param smtp checked by the settings
 */
export const openSmtp = async (
  smtp: string,
  { mailFrom, operatorName }: Pick<Settings, 'mailFrom' | 'operatorName'>,
): Promise<SendMail> => {
  const { createTransport } = await import('nodemailer')
  const { protocol, hostname, port, username, password } = new URL(smtp)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
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
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const from = mailFrom ?? ''
  return async ({ to, subject, text, html }) => {
    try {
      await transport.sendMail({
        from: { name: operatorName.en, address: from },
        to: { name: '', address: to },
        // Exactly one recipient, whatever its text looks like.
        envelope: { from, to: [to] },
        subject,
        text,
        html,
        // No automatic answers (RFC 3834 section 5).
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    } catch (fault) {
      throw faultOf(fault)
    }
  }
}
