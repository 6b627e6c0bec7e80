/** Limits of what clients say of their keys, their sector and their request objects. Times in seconds. */
export const clientKeyLimits = {
  /** Keys of one client. */
  keys: 20,
  kidCharacters: 200,
  /** An RSA modulus in characters of base64url: 2,048 to 4,096 bits. Checking a longer one takes long. */
  modulusCharacters: { least: 342, most: 683 },
  /** A coordinate on a curve; those of P-521 have 88. */
  coordinateCharacters: 88,
  /** The exponent of RSA: usually `AQAB`. A long one makes each check slow. */
  exponentCharacters: 6,
  /** Key sets of clients of strangers, and as many of the operator, per node. */
  setsCached: 200,
  /** A key set is fetched again for an unknown key, or after a failure, at most so often. */
  refetchSeconds: 30,
  requestUris: 10,
  /** Refused request objects of one network in a minute; then none of it is verified. */
  refusedObjects: 100,
  /** The clock of a client may be so far from ours. */
  skewSeconds: 60,
} as const
