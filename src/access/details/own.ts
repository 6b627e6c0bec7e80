/** Details of a token of the client itself. Nobody approves them, so they lie within its registration. */

import { type Client, getScopeLimit } from '../../model/client.ts'
import type { Detail } from '../../model/detail.ts'
import type { Permissions } from '../../model/resource.ts'
import type { Resources } from '../resources.ts'
import type { ScopedClient } from '../scope.ts'
import { invalidDetails, parseDetails } from './parse.ts'

/** Whether the client may do all of this without an owner. */
const isAllowed = ({ type, actions }: Detail, allowed: Permissions): boolean =>
  actions.every((action) => allowed.includes(`${type}:${action}`))

const listAllowed = (client: ScopedClient, { latest }: Pick<Resources, 'latest'>): Permissions =>
  getScopeLimit(client) ?? latest.builtInPermissions

/** The details of a token, as far as its client may still have them. */
export const keepOwnDetails = (
  details: readonly Detail[],
  client: ScopedClient,
  resources: Pick<Resources, 'latest'>,
): readonly Detail[] => {
  const allowed = listAllowed(client, resources)
  return details.filter((detail) => isAllowed(detail, allowed))
}

/** @throws Refusal `invalid_authorization_details` */
export const parseOwnDetails = async (
  text: string,
  client: Client,
  resources: Resources,
): Promise<readonly Detail[]> => {
  const details = await parseDetails(text, client, resources)
  if (keepOwnDetails(details, client, resources).length === details.length) return details
  const said = 'asks for actions outside the scope of the client'
  throw invalidDetails('detail_beyond_registration', said)
}
