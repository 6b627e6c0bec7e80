/** Limits of requests at `/authorize` and `/logout`, and of what is kept of a refused one. */

export const requestLimits = {
  /** The query of an authorization request; sealed, it grows by a third and has to fit a URL again. */
  authorizationRequestCharacters: 16 * 1024,
  /** A pushed request grows by a third in its `request_uri`, and again in the URLs of our pages. */
  pushedRequestCharacters: 10 * 1024,
  /** FAPI 2.0 Security Profile section 5.3.2.2: less than 600 seconds. */
  strictPushedSeconds: 599,
  stateCharacters: 4096,
  /** A nonce goes into the code, and so into a URL. */
  nonceCharacters: 2048,
  redirectUriCharacters: 2048,
  clientNameCharacters: 200,
  /** The parameter `claims`. The names go into codes and tokens, but only known ones. */
  claimsCharacters: 4096,
  /** A hint: an ID token of this service, with all the claims that one may hold. The signature of ML-DSA-87 has 6,170. */
  hintCharacters: 14 * 1024,
  /** Values of `acr`, in one request or registration. */
  contexts: 20,
  /** The clock of the client that signs a request object may be so far from ours. */
  skewSeconds: 60,
} as const

export const keptLimits = {
  /** Parameters of a request, and the characters of one value. */
  parameters: 30,
  valueCharacters: 300,
  /** Secrets of one request: each is looked for in every kept value. With more, all is withheld. */
  secretsLookedFor: 100,
} as const
