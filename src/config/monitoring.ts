/** The settings of monitoring: the place of `/metrics`, and the log. */
import { isIP } from 'node:net'
import { longSecret, oneOf, type Parsed, type SettingRows } from './values.ts'
import { parseWebhooks } from './webhooks.ts'

/** `off`: nowhere. `loopback`: on the port of the service, to this machine. Else at an address of its own. */
export type MetricsPlace = 'off' | 'loopback' | { readonly host: string; readonly port: number }

const expected = 'off, loopback, or HOST:PORT such as 10.0.0.11:9464'

const parsePlace = (given: unknown): Parsed<MetricsPlace> => {
  if (given === 'off' || given === 'loopback') return { value: given }
  const [, bracketed, name, port] =
    /^(?:\[([\da-f:.]+)\]|([a-z\d](?:[a-z\d.-]*[a-z\d])?)):(\d{1,5})$/i.exec(String(given)) ?? []
  const host = bracketed ?? name
  const isAddress = bracketed === undefined || isIP(bracketed) === 6
  if (host === undefined || !isAddress || Number(port) > 65_535) return { expected }
  return { value: { host, port: Number(port) } }
}

export const monitoringSettings = {
  webhooks: {
    parse: parseWebhooks,
    fallback: [],
    meaning:
      'Receivers of events, as a list of objects (in the environment as JSON): see monitoring.md.',
    when: 'Another program should hear of logins, approvals and other events.',
    secret: true,
  },
  logLevel: {
    takes: '<level>',
    parse: oneOf(['debug', 'info', 'warn', 'error', 'silent']),
    fallback: 'info',
    meaning: 'How much is logged: debug, info, warn, error or silent.',
    when: 'You look for a fault (debug), or the log is too long (warn).',
  },
  metrics: {
    takes: '<place>',
    parse: parsePlace,
    fallback: 'loopback',
    meaning:
      'The place of /metrics: off, loopback (this machine, on the port of the service), or HOST:PORT (a port of its own, in a trusted network).',
    when: 'Your monitoring is on another machine, or you have none.',
  },
  metricsToken: {
    parse: longSecret,
    fallback: null,
    meaning: 'With it, /metrics also answers on the port of the service, to this bearer token.',
    when: 'Your monitoring reaches only the public port.',
    secret: true,
  },
} as const satisfies SettingRows
