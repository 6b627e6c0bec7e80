/** The ways out: JSON, a page, a redirect. Headers that never change are made once. */

const jsonHeaders = {
  'Content-Type': 'application/json;charset=UTF-8',
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
} as const

/** A JSON answer that nobody may keep (RFC 6749 section 5.1). */
export const answerJson = (
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> | null = null,
): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: headers === null ? jsonHeaders : { ...jsonHeaders, ...headers },
  })

/** A JSON document that is the same for everybody and changes only with the program and its settings. */
export const answerPublicJson = (body: unknown): Response =>
  new Response(JSON.stringify(body), {
    headers: {
      'Content-Type': 'application/json;charset=UTF-8',
      'Cache-Control': 'public, max-age=300',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    },
  })

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  // No form-action: browsers apply it to every later redirect as well, so it would end the way
  // back to the client.
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
} as const

export const answerPage = (
  html: string,
  status = 200,
  cookies: readonly string[] = [],
  extra: Readonly<Record<string, string>> = {},
): Response =>
  withCookies(new Response(html, { status, headers: { ...pageHeaders, ...extra } }), cookies)

/**
 * A redirect. `location` has to be checked already: one of our own paths, or a registered URI.
 * After a POST it is 303, so that no browser ever sends a password on (RFC 9700 section 4.12).
 */
export const answerRedirect = (
  location: string,
  status: 302 | 303,
  cookies: readonly string[] = [],
): Response =>
  withCookies(
    new Response(null, {
      status,
      headers: {
        Location: location,
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
        'X-Frame-Options': 'DENY',
        'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      },
    }),
    cookies,
  )

const withCookies = (response: Response, cookies: readonly string[]): Response => {
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}
