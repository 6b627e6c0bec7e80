/** A digest without `node:crypto`, for the guard of an API. */

/** SHA-256, base64url without padding, as `hashText` makes it. */
export const hashByWebCrypto = async (text: string): Promise<string> => {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Buffer.from(bytes).toString('base64url')
}
