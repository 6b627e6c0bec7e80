/** Limits of what a request says of the login and of claims. */
export const claimsLimits = {
  /** The parameter `claims`. The names go into codes and tokens, but only known ones. */
  requestCharacters: 4096,
  /** A hint: an ID token of this service, with all the claims that one may hold. */
  hintCharacters: 8192,
  /** The attributes of an owner, as JSON. They are read at each use of `/userinfo`. */
  attributeCharacters: 16_384,
  /** Roles of an owner. They are read with each session. */
  roles: 20,
  /** Words of the setting `claims`, and claims of each. */
  ownWords: 10,
  ownClaims: 20,
  /** Values of `acr`, in one request or registration. */
  contexts: 20,
} as const
