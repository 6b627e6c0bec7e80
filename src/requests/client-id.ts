/** Client ids, as they may be written (RFC 6749 section 2.2 leaves that to the server). */
import { limits } from '../config/limits.ts'
import { isId } from '../model/ids.ts'

/** The form of client ids; `:` and `~` stand in no id, so that it can be a part of other names. */
export const isClientId = (text: string): boolean =>
  text.length <= limits.clientIdCharacters && /^[A-Za-z0-9._-]+$/.test(text)

/** Whether an operator may choose it: one in the form of ours could be that of an owner or of a later client. */
export const isChosenClientId = (text: string): boolean => isClientId(text) && !isId(text)
