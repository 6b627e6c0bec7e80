/** The picture of a client, as it was fetched from its `logo_uri` (RFC 7591 section 2). */
import type { ClientId } from './ids.ts'
import type { PictureType } from './picture.ts'

/** The stored logo of a client. */
export interface ClientLogo {
  readonly clientId: ClientId
  /** Where it was fetched from. Of another `logo_uri` it is not the picture. */
  readonly uri: string
  readonly type: PictureType
  /** A digest of the content, for the URL that it is served at. */
  readonly version: string
  /** Base64. */
  readonly content: string
  /** Unix seconds. */
  readonly fetchedAt: number
}
