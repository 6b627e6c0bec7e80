/** The weight of a page, and its requests after the HTML. */
import type { Page } from 'playwright-core'

const mostBytes = 60_000

interface Loaded {
  readonly url: string
  readonly bytes: number
}

/**
 * Faults of loading: too many bytes, a second stylesheet or script, a late request. A request is late
 * if the HTML does not name it: it waits for another one.
 *
 * @param html the page as it was sent
 */
export const burdensOf = async (page: Page, html: string): Promise<readonly string[]> => {
  const loaded = await page.evaluate<readonly Loaded[]>(
    `['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
      .filter((entry) => !entry.name.startsWith('data:'))
      .map((entry) => ({ url: entry.name, bytes: entry.encodedBodySize }))`,
  )
  const [, ...after] = loaded
  const bytes = loaded.reduce((sum, one) => sum + one.bytes, 0)
  const paths = after.map(({ url }) => new URL(url).pathname)
  const count = (ending: string): number => paths.filter((path) => path.endsWith(ending)).length
  return [
    ...(bytes > mostBytes ? [`${bytes} bytes`] : []),
    ...(count('.css') === 1 ? [] : [`${count('.css')} stylesheets`]),
    ...(count('.js') <= 1 ? [] : [`${count('.js')} scripts`]),
    ...paths.filter((path) => !html.includes(`"${path}"`)).map((path) => `late: ${path}`),
  ]
}
