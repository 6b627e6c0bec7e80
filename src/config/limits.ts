/** Every limit of the service, in one place. Sizes in bytes or characters, times in seconds. */

import { clientIdCharacters } from '../model/ids.ts'

export const limits = {
  /** Body of a form request (token, login, consent ...). */
  formBytes: 64 * 1024,
  /** Body of a JSON request (registration, admin API, items). */
  jsonBytes: 64 * 1024,
  /** Body of a registration at `/register`. */
  registrationBytes: 16 * 1024,
  /** Parameters in one form or query. */
  parameters: 100,
  /** The URL of a request. */
  urlCharacters: 32 * 1024,
  /** The query of an authorization request; sealed, it grows by a third and has to fit a URL again. */
  authorizationRequestCharacters: 16 * 1024,
  journeyCharacters: 24 * 1024,
  /** From the authorization request to its answer, while somebody logs in and decides. */
  journeySeconds: 900,
  /** A second step of a login, or setting up a factor. */
  ceremonySeconds: 600,
  /** After SIGTERM, requests under way have so long to end. */
  drainSeconds: 4,

  // The parameters of an authorization request.
  stateCharacters: 4096,
  /** A nonce goes into the code, and so into a URL. */
  nonceCharacters: 2048,
  scopeCharacters: 4096,
  /** A refused scope: so many of its names are told, and so much of each. */
  scopeNamesTold: 10,
  scopeNameToldCharacters: 80,
  /** The distinct values of `resource` in all. They go into codes and tokens. */
  audienceCharacters: 2048,
  /** A refused resource: so much is told of those there are. */
  audienceToldCharacters: 1000,
  redirectUriCharacters: 2048,
  redirectUris: 20,

  clientIdCharacters,
  /** A client that registered itself may change itself so often in a day. */
  ownChanges: 20,
  ownChangesSeconds: 24 * 3600,
  clientNameCharacters: 200,
  /** Why a client needs what it requires; it is shown whole on the consent page. */
  reasonCharacters: 300,
  /** Of a name that strangers chose, pages show so much. */
  shownNameCharacters: 80,
  /** Two redirect URIs are compared finely where the product of their lengths is at most this. */
  comparedCells: 128 * 128,
  /** What the operator says of itself on the pages. */
  operatorNameCharacters: 60,
  loginTextCharacters: 500,
  logoBytes: 200 * 1024,
  /**
   * Pictures of clients: their size, how often fetched anew, and when tried again after a failure. So many may
   * wait to be fetched, and so many are fetched at once.
   */
  clientLogo: { bytes: 64 * 1024, days: 7, retrySeconds: 600, waiting: 100, atOnce: 4 },
  /** Entries of a list in client metadata. */
  metadataEntries: 20,
  /** Longest lifetime that a client may be given: ten years. */
  lifetimeSeconds: 3650 * 24 * 3600,
  /** Longest time for which a rotation keeps the old client secret: thirty days. */
  oldSecretSeconds: 30 * 24 * 3600,
  personNameCharacters: 200,
  emailCharacters: 254,
  usernameCharacters: 200,
  /** So many bytes hold 64 characters of any script (NIST SP 800-63B section 3.1.1.2). */
  passwordBytes: 256,
  /** Least number of characters of a new password, unless the setting says otherwise. */
  passwordLeastCharacters: { demo: 8, otherwise: 15 },
  textCharacters: 2048,
  /** What is kept of a `User-Agent`. */
  userAgentCharacters: 400,

  /** Longest token, code or secret anyone may present. */
  tokenCharacters: 8192,

  /** So many repeats of one refresh have an event each; later ones get the same answer and none. */
  refreshRepeatsTold: 10,
  /** The clocks of two nodes may differ by so much. */
  clockSkewSeconds: 10,
  /** How often the time is noted in the store, for a start after which the clock is behind. */
  clockNoteSeconds: 10,
  /** The rows of a node that has stopped are kept so long. */
  nodeSeconds: 7 * 24 * 3600,
  /** `/health/ready` writes at most once in so long; others share the answer. */
  readyMilliseconds: 1000,

  /** Factors are changed, and codes shown, within so long after the password or a passkey was asked for. */
  confirmationSeconds: 10 * 60,
  operatorViewSeconds: 8 * 3600,
  passkeysPerOwner: 20,
  passkeyNameCharacters: 60,
  recoveryCodes: 10,
  /** Tries at passwords and codes that wait for their turn, or to see whether others were right. */
  triesWaiting: 1000,
  /** Of a hop in `X-Forwarded-For` that is no address, the log shows the shape of so much. */
  unreadableHopCharacters: 40,

  /** Registrations of a network are counted from the first, for so long. */
  registrationWindowSeconds: 3600,
  /** By the bits of a network, so many times the setting; and its part of all places (/24 or /48). */
  registrationsOfNetwork: { 24: 1, 64: 1, 56: 2, 48: 4, share: 1 / 100 },
  /** A client that a stranger registered and nobody used goes after so long; used ones: `unusedSeconds`. */
  neverUsedSeconds: 24 * 3600,
  /** A use of such a client is written at most so often, and noted for so many clients at once. */
  clientUseSeconds: 24 * 3600,
  clientUsesNoted: 20_000,
  /** So many of these clients are checked in one turn of housekeeping. */
  registrationsChecked: 100,

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
    atOncePerHost: 4,
  },

  pageRows: 100,
  /** Applications of the operator to whose names the name of a stranger's client is compared. */
  namesCompared: 2000,
  pageRowsDefault: 50,
  /** Every node reads the keys so often, and a turn of its housekeeping comes each second. */
  keyReloadSeconds: 5,

  /** Uses are written so often, so many kinds of them in one step: a last use is never five seconds old. */
  usesFlushSeconds: 3,
  /**
   * An access that has ended is listed so long from its end. The drawing of uses per day reaches back
   * as far, or as the access log does.
   */
  useDays: 30,
  /** All lines of one authorization and day. A longer row would take overflow pages in SQLite. */
  logLinesCharacters: 880,
  /** Whoever collected uses is remembered for so long after its last batch. */
  useCollectorSeconds: 7 * 24 * 3600,
  /** Entries of the ledger in one download. */
  ledgerRows: 1000,
  /** An application that was not used for so long is pointed out to its owner; see `neverUsedSeconds`, too. */
  unusedSeconds: 90 * 24 * 3600,
  purgeSeconds: 10,
  /**
   * Rows about a used code or a revoked token outlive it by so much. Clocks of other nodes may be
   * behind, and a request goes by the time of its arrival, however long it takes.
   */
  purgeAfterSeconds: 60,
  purgeRows: 500,
  /** Steps at most each time; where more is left, the next time is the next turn of housekeeping. */
  purgeSteps: 50,
  /** A purge looks at so many stretches of rows before it rests. */
  purgeStretches: 20,
  /** Most steps in the queue of the store, and most steps in one commit. */
  stepsWaiting: 20_000,
  stepsTogether: 1_000,
  /** So many ids of each kind are noted after their first read. The second read is cached. */
  remembered: { noted: 20_000 },
  /** How long a foreign reader of an embedded database, such as a backup, is waited for. */
  lockMilliseconds: 5000,
} as const
