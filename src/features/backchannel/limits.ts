/** Limits of backchannel requests that no operator sets. Times in seconds. */

export const backchannelLimits = {
  /** A client hears for so long after the end of its request that the request has expired. */
  rememberedSeconds: 3600,
  /** Living requests of one client to one person. */
  ofOwner: 20,
  /** Living requests that one person is shown in all. Of clients that registered themselves, fewer. */
  ofOwnerInAll: 100,
  ofOwnerByStrangers: 20,
  /** After so many denials within the time, the client is not heard for the rest of it. */
  denials: 20,
  denialSeconds: 3600,
  /**
   * Requests that strangers may cause: of one network (/24 or /48), and of all. Each counts for a while after
   * its end: otherwise short ones could follow one another without an end.
   */
  ofNetwork: 200,
  inAll: 50_000,
  countedSeconds: 300,
  messageCharacters: 100,
  /** CIBA section 7.1. */
  notificationTokenCharacters: 1024,
  hintCharacters: 254,
  /** What a client asks for: the row and the page carry it. */
  parameterCharacters: 8 * 1024,
  /** Owners among whom the subject of a pairwise client is looked for. */
  subjects: 5000,
} as const

export const pingLimits = {
  /** Pings sent by a node at once: clients that registered themselves take no place of others. */
  atOnce: { operator: 8, itself: 4 },
  /** Of these, about one owner: all of the clients may be the owner's own. */
  atOncePerOwner: 2,
  /** A node that claimed a ping and stopped: others send it after so long. */
  claimSeconds: 30,
  /** After a failed try comes a pause: first so long, then each time twice as long. */
  firstPauseSeconds: 2,
  longestPauseSeconds: 60,
  /** Of the answer only the status counts. */
  answerBytes: 16 * 1024,
} as const
