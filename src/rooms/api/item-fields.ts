/** The fields of an item, out of a request body: a JSON object or form fields. */
import { readJsonObject } from '../../http/body.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { invalidRequest } from '../../protocol/refusal.ts'

export const apiLimits = {
  /** Of a client that registered itself, in one resource and for itself. */
  ownItemsPerResource: 50,
  itemFields: 200,
  itemIdCharacters: 100,
  /** Of a client that registered itself, for itself. */
  ownItemBytes: 4096,
} as const

/** Own properties only, whatever their names: `__proto__` is a field like any other. */
const readFields = (form: Parameters): Record<string, unknown> => {
  if (form.repeated() !== null) {
    throw invalidRequest('repeated_field', 'a field came more than once')
  }
  return Object.fromEntries(
    [...form.names()]
      .filter((name) => name !== 'access_token')
      .map((name) => [name, form.find(name)]),
  )
}

/**
 * @param form the body, where it was a form and is read already
 * @throws Refusal `invalid_request`, `unsupported_media_type`, `too_large`
 */
export const readItemBody = async (request: HttpRequest, form: Parameters | null) => {
  const { id, ...fields } = form === null ? await readJsonObject(request) : readFields(form)
  if (Object.hasOwn(fields, 'access_token')) {
    // A token would be stored in clear: tokens come in a header, a query or a form, and never in JSON.
    throw invalidRequest(
      'token_as_field',
      'an item has no field access_token: send the token in the Authorization header',
    )
  }
  if (Object.keys(fields).length > apiLimits.itemFields) {
    throw invalidRequest('too_many_fields', `an item has at most ${apiLimits.itemFields} fields`)
  }
  return { id, fields }
}

/** Whether a form says nothing but who asks: then its POST reads, as a GET would. */
export const isSilent = (form: Parameters): boolean =>
  [...form.names()].every((name) => name === 'access_token')
