/** The details of a request in the words of its page: one line with a box for each. */
import type { Detail } from '../../../model/detail.ts'
import type { Language } from '../../../model/language.ts'
import type { Resource } from '../../../model/resource.ts'
import { type DetailLine, describeDetail } from '../../../paper/detail.ts'
import { consentWords } from './words.ts'

export interface AskedDetail extends DetailLine {
  /** Among all details of the request. */
  readonly place: number
}

/** A grant may have details of a resource that is gone. No line shows them, and the others keep their places. */
export const listDetailLines = (
  details: readonly Detail[],
  resources: readonly Resource[],
  language: Language,
): readonly AskedDetail[] =>
  details.flatMap((detail, place) => {
    const line = describeDetail(detail, resources, language)
    const uri = resources.find(({ name }) => name === detail.type)?.uri ?? null
    const note = uri && consentWords(language).elsewhere({ host: new URL(uri).host })
    return line === null ? [] : [{ ...line, note, place }]
  })
