/** Limits of connections, requests and their parts. */
import { defaultLimits } from '../config/settable-limits.ts'

export const httpLimits = {
  /** Nesting of a JSON body. */
  jsonDepth: 32,
  /** A number in a JSON body. The longest double has 24. */
  numberCharacters: 400,
  /** Request line and headers together; Node answers 431 beyond it. */
  headerBytes: 64 * 1024,
  /** Connections that may wait to be taken; the system may allow fewer. */
  connectionsWaiting: 4096,
  /** What has come of bodies under way, over all connections. */
  bodyBytesHeld: 64 * 1024 * 1024,
  /** Bodies of at most this declared length do not count: connections are bounded already. */
  smallBodyBytes: 8192,
  /** Of one IPv4 address or /64 network, but not of this machine or a trusted proxy. */
  connectionsOfAddress: 1000,
  /** Pipelined requests that wait for answers before them, 4 KB each; beyond, a connection is cut off. */
  requestsWaiting: 20_000,
  /** Host names of requests that are remembered to be right. */
  hostsRemembered: 64,
  /** Until a client has sent the headers of its request, and the whole of it. */
  headerSeconds: 10,
  requestSeconds: 30,
  /** A download ends once its reader has taken nothing for so long. */
  stalledSeconds: 60,
  /** Of the name of a program that is no known browser, so much is shown. */
  programNameCharacters: 30,
  /** `If-Match` and `If-None-Match`, each. */
  conditionCharacters: 4096,
  /** `Client-Cert`, and as much for each of so many in `Client-Cert-Chain`. */
  certificateCharacters: 16 * 1024,
  certificatesInChain: 5,
  /** Body of a form request (token, login, consent ...). */
  formBytes: 64 * 1024,
  /** Body of a JSON request (registration, admin API, items). */
  jsonBytes: 64 * 1024,
  /** After SIGTERM, requests under way have so long to end. */
  drainSeconds: 4,
  /** What is kept of a `User-Agent`. */
  userAgentCharacters: 400,
  /** Requests of this service to URLs that others chose. */
  outbound: {
    /** From the first look at the name to the last byte of the answer, redirects included. */
    milliseconds: 8000,
    /** One question to a name server; it is asked twice. */
    dnsMilliseconds: 2000,
    headerBytes: 16 * 1024,
    redirects: 3,
    /** Answers before the real one, such as 103 Early Hints: a flood of them costs time. */
    interimAnswers: 8,
    atOnce: 32,
    atOncePerHost: defaultLimits.fetchesPerHost,
  },
} as const
