/** Limits of connections, requests and their parts. */
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
  /** `ui_locales` and `Accept-Language`, each; longer ones are not looked at. */
  languageCharacters: 1024,
  /** Of each tag in them: language, script, country and one more. */
  languageSubtags: 4,
  /** Of the name of a program that is no known browser, so much is shown. */
  programNameCharacters: 30,
  /** `If-Match` and `If-None-Match`, each. */
  conditionCharacters: 4096,
} as const
