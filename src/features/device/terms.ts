/** The approved terms, as the store keeps them: as codes carry them, in a text that the store need not read. */
import { malformed, Reader, Writer } from '../../model/codec/bytes.ts'
import { makeTermsType, type Terms } from '../../model/terms.ts'

const type = makeTermsType('code')

export const formatTerms = (terms: Terms): string => {
  const to = new Writer()
  type.write(terms, to)
  return to.toBase64url()
}

/** Null for terms of a later version. */
export const parseTerms = (text: string): Terms | null => {
  try {
    return type.read(new Reader(text))
  } catch (fault) {
    if (fault === malformed) return null
    throw fault
  }
}
