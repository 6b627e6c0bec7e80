/** Limits of trusted issuers. */

export const issuerLimits = {
  issuers: 100,
  idCharacters: 40,
  issuerCharacters: 500,
  titleCharacters: 60,
  scopeCharacters: 4096,
  /** Clients that one issuer may be limited to. */
  clients: 100,
  /** What an issuer opened is ended in pieces once it is deleted. */
  endedAtOnce: 100,
} as const
