/** Every limit of the service, in one place. Sizes in bytes or characters, times in seconds. */

import { clientIdCharacters } from '../model/client-id.ts'

export const limits = {
  /** Body of a form request (token, login, consent ...). */
  formBytes: 64 * 1024,
  /** Body of a JSON request (registration, admin API, items). */
  jsonBytes: 64 * 1024,
  /** Body of a registration at `/register`. */
  registrationBytes: 16 * 1024,
  /** Parameters in one form or query. */
  parameters: 100,
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
  /** Access tokens that are remembered as read and right, and as many secrets of clients. */
  verifiedRemembered: 4000,
  /** The URL of a request. */
  urlCharacters: 32 * 1024,
  /** The query of an authorization request; sealed, it grows by a third and has to fit a URL again. */
  authorizationRequestCharacters: 16 * 1024,
  journeyCharacters: 24 * 1024,
  /** After SIGTERM, requests under way have so long to end. */
  drainSeconds: 4,

  /** A command for a running service, and how long it may take. */
  commandCharacters: 256 * 1024,
  commandSeconds: 300,
  /** Characters kept of the name of the user who typed it. */
  systemUserCharacters: 100,
  /** The address of a socket has 104 bytes on some systems, with a name behind it and a zero. */
  socketPathBytes: 90,

  // The parameters of an authorization request.
  stateCharacters: 4096,
  /** It goes into the code, and so into a URL. */
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
   * Pictures of clients: how often fetched anew, and when tried again after a failure. So many may
   * wait to be fetched, and so many are fetched at once.
   */
  clientLogo: { days: 7, retrySeconds: 600, waiting: 100, atOnce: 4 },
  /** `ui_locales` and `Accept-Language`, each; longer ones are not looked at. */
  languageCharacters: 1024,
  /** Of each tag in them: language, script, country and one more. */
  languageSubtags: 4,
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
  /** Of the name of a program that is no known browser, so much is shown. */
  programNameCharacters: 30,

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

  /**
   * Guessing passwords and one-time codes: some wrong tries are free, each further one sets a wait of
   * 1 s, 2 s, 4 s ... A counter that nobody touches for an hour starts anew.
   */
  attempts: {
    forgetSeconds: 60 * 60,
    forgetAfter: 'last try',
  },
  /** More tries than anybody makes within an hour, for a counter that only adds up. */
  addedUp: { freeTries: 1_000_000_000, longestWaitSeconds: 1 },
  /**
   * Free wrong tries of strangers within an hour, by the bits of their network: so many times
   * `networkFreeTries`. An office or a
   * mobile carrier is one network with many people. So the hour begins with the first try:
   * otherwise it would never end.
   */
  networkFactor: { 32: 1, 64: 1, 56: 2, 48: 4 },
  /** A browser is known for so long after its last login, and knows so many owners. */
  knownBrowserSeconds: 180 * 24 * 3600,
  ownersOfBrowser: 4,
  knownBrowserCharacters: 400,
  /** Factors are changed, and codes shown, within so long after the password or a passkey was asked for. */
  confirmationSeconds: 10 * 60,
  /** How long the code of `latchkey operator` counts, and for how long what it opens is shown. */
  operatorCodeSeconds: 10 * 60,
  operatorViewSeconds: 8 * 3600,
  passkeyNameCharacters: 60,
  /** A credential id has at most 1023 bytes (WebAuthn level 3, section 4), base64url. */
  passkeyIdCharacters: 1364,
  /** Each field of a passkey's response, as the browser sends it. */
  credentialCharacters: 8192,
  recoveryCodes: 10,
  /** Further places in the queue of password hashes, not for strangers; and the part of them for one owner. */
  passwordHashesReserved: 50,
  passwordHashesReservedOfOne: 2,
  /** `nice` of the hashing threads: they still get a tenth of a core. */
  poolNiceness: 10,
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

  itemFields: 200,
  itemIdCharacters: 100,
  /** Of a client that registered itself, for itself. */
  ownItemBytes: 4096,
  /** `If-Match` and `If-None-Match`, each. */
  conditionCharacters: 4096,
  /** Log lines wait for others so long, or until there are so many; beyond the last bound they are dropped. */
  logHoldMilliseconds: 100,
  logPieceCharacters: 64 * 1024,
  logCharacters: 8 * 1024 * 1024,

  /** The demo's playground: runs held in memory, how much of a body is shown, how much may be typed. */
  playground: { runs: 100, bodyCharacters: 4000, typedCharacters: 4096 },

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
  /** Sealing keys: a new one so often, known to all nodes so long before its first use. */
  keyRotationSeconds: 30 * 24 * 3600,
  keyPublishSeconds: 3600,
  /** Every node reads the keys so often, and a turn of its housekeeping comes each second. */
  keyReloadSeconds: 5,
  /** What `key rotate --now` waits instead, for every node to know the key. */
  keyHurrySeconds: 8,
  /** Secrets that are wrapped anew in one step. */
  rewrapRows: 100,

  /** Uses are written so often, so many kinds of them in one step: a last use is never five seconds old. */
  usesFlushSeconds: 3,
  usesTogether: 128,
  /** A page that shows uses waits at most so long for the latest of them to be written. */
  usesWaitMilliseconds: 1000,
  /** Kinds of uses held in memory: of all authorizations, and of one before networks are not told apart any more. */
  usesCollected: 100_000,
  usesCollectedOfOne: 32,
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
  /** A request waits for the store so long in all, so that 503 is sent within 5 s. Counted in ticks. */
  storeWaitMilliseconds: 4750,
  storeTickMilliseconds: 250,
  /** Most steps in the queue of the store, and most steps in one commit. */
  stepsWaiting: 20_000,
  stepsTogether: 1_000,
  /** The journal of an embedded database goes into its file after so long without work, or so many changed rows. */
  journalIdleMilliseconds: 100,
  journalRows: 10_000,
  /** Once its journal is in the file, its own file keeps no more than so many bytes for what comes next. */
  journalBytes: 32 * 1024 * 1024,
  /** After a write that found no room, readiness asks for its size and so much more: a step changes whole pages. */
  roomBytes: 64 * 1024,
  /** So many ids of each kind are noted after their first read. The second read is cached. */
  remembered: { noted: 20_000 },
  /** How long a foreign reader of an embedded database, such as a backup, is waited for. */
  lockMilliseconds: 5000,
  /** Backups, and migrations to another engine: rows and bytes taken at once, and the longest line. */
  copying: { rows: 500, chunkBytes: 256 * 1024, lineCharacters: 16 * 1024 * 1024 },
  /** An embedded database up to this size is checked whole at every start, a larger one in part. */
  wholeCheckBytes: 32 * 1024 * 1024,
  /** A node on PostgreSQL: how long it waits for what, and how often it tries. */
  postgres: {
    leastVersion: 13,
    connectMilliseconds: 5000,
    /** One statement at the server, and the wait for one lock. */
    statementMilliseconds: 5000,
    lockMilliseconds: 1000,
    /** Until an answer has come; after that the connection is given up. */
    answerMilliseconds: 7500,
    /** How long another node may take to bring the schema up to date. */
    migrationMilliseconds: 60_000,
    tries: 8,
    /** A slow machine has many transactions under way, and each of them may be in the way. */
    raceTries: 24,
    /** The wait before a step is tried again after a conflict; doubled for each of the first tries. */
    conflictMilliseconds: 2,
    /** After a failure to connect nobody tries for so long; doubled each time up to the longest. */
    firstRestMilliseconds: 50,
    longestRestMilliseconds: 1000,
  },
} as const
