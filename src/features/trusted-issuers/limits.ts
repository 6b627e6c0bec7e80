/** Limits of trusted issuers. */

export const issuerLimits = {
  issuers: 100,
  idCharacters: 40,
  issuerCharacters: 500,
  titleCharacters: 60,
  /** Clients that one issuer may be limited to. */
  clients: 100,
  /** The accesses of a deleted issuer end in pieces of so many. */
  endedAtOnce: 100,
} as const
