/** The event of a security event token (RFC 8417 section 2.2): some tokens have to be doubted. */

/** Its payload: `{ subject, id, final }`. */
export const revocationEvent = 'urn:latchkey:revocation'
