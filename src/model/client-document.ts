/** Client ID metadata documents: a client whose id is the URL of a document about it. */

/** The copy of a document that a client was made from. Times in unix seconds. */
export interface DocumentCopy {
  readonly etag: string | null
  readonly fetchedAt: number
  /** Until then it is not fetched again. */
  readonly freshUntil: number
  /** Until then it serves if the host does not answer. */
  readonly usableUntil: number
}

/** The host that vouches for a client by a document; null for every other client. */
export const documentHost = ({
  id,
  registeredBy,
}: {
  readonly id: string
  readonly registeredBy: 'operator' | 'itself'
}): string | null =>
  registeredBy === 'itself' && /^https?:\/\//.test(id) && URL.canParse(id) ? new URL(id).host : null
