/** The address of a client's picture (`logo_uri`, RFC 7591 section 2). */
import type { Client } from '../model/client.ts'
import { parseWebUri } from './web-uri.ts'

/** Null if none is to be shown. */
export const logoUriOf = ({
  registeredBy,
  display,
  document,
}: Pick<Client, 'registeredBy' | 'display' | 'document'>): string | null =>
  (registeredBy === 'operator' || document !== undefined) && display.logo_uri !== undefined
    ? (parseWebUri(display.logo_uri)?.href ?? null)
    : null
