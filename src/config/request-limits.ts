/** Limits of the parameters of an authorization request. Read them as members of `limits`. */

export const requestLimits = {
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
} as const
