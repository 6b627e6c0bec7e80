/** The refusal of client metadata (RFC 7591 section 3.2.2). */
import { Refusal } from '../protocol/refusal.ts'

export const invalidMetadata = (reason: string, description: string): Refusal =>
  new Refusal('invalid_client_metadata', reason, description)
