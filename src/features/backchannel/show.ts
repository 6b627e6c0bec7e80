/** A request in the words of its page. */
import { dropWords, getResource } from '../../access/permission.ts'
import { findLookAlike } from '../../clients/look-alike.ts'
import { makeRequester } from '../../model/requester.ts'
import { findToldGroups } from '../../owners/told-groups.ts'
import type { ServiceParts } from '../../registries.ts'
import { listDetailLines } from '../../rooms/oauth/consent/details.ts'
import {
  describeRow,
  hashRequester,
  listAboutRows,
  listRequired,
  makeCells,
} from '../../rooms/oauth/consent/show.ts'
import type { OwnerVisit } from '../../rooms/owner-visit.ts'
import type { ShownRequest } from './page.ts'
import type { OpenRequest } from './read.ts'

/** An earlier approval answers for no part of it. */
const nothingBefore = { settled: [], before: new Map() }

/** Once for each name: each time, the applications of the operator are read. */
export const findLookAlikes = async (
  open: readonly OpenRequest[],
  needs: Pick<ServiceParts, 'store'>,
): Promise<ReadonlyMap<string, string | null>> => {
  const strangers = open.filter(({ client }) => client.registeredBy === 'itself')
  const names = [...new Set(strangers.map(({ client }) => client.name))]
  return new Map(
    await Promise.all(names.map(async (name) => [name, await findLookAlike(name, needs)] as const)),
  )
}

export const describeRequest = async (
  { stored, client, request, target, kept }: OpenRequest,
  { view, login }: OwnerVisit,
  { resources, store }: Pick<ServiceParts, 'resources' | 'store'>,
  looks: Awaited<ReturnType<typeof findLookAlikes>>,
): Promise<ShownRequest> => {
  const { permissions } = request
  const { language } = view
  const { latest, words: own } = resources
  const required = listRequired(request, client, latest.names)
  const cell = makeCells(permissions, required, nothingBefore)
  const asked = new Set(dropWords(permissions).map(getResource))
  const groups = await findToldGroups(client, login.owner.id, permissions, store)
  const requires = permissions.some((one) => client.requiredScope.includes(one))
  return {
    id: stored.id,
    clientName: client.name,
    looksLike: client.registeredBy === 'itself' ? (looks.get(client.name) ?? null) : null,
    clientRegisteredBy: client.registeredBy,
    clientId: client.id,
    clientUri: client.display.client_uri ?? null,
    requester: hashRequester(makeRequester(client, target.redirectUri)),
    reason: requires ? (client.display.required_scope_reason ?? null) : null,
    message: stored.message,
    rows: latest.all
      .filter(({ name }) => asked.has(name))
      .map((resource) => describeRow(resource, cell, permissions, 0, language)),
    about: listAboutRows(permissions, cell, login.owner, own, groups, language),
    details: listDetailLines(request.terms.details ?? [], latest.all, language),
    askedAt: stored.createdAt,
    expiresAt: stored.expiresAt,
    network: stored.network,
    tokenSeconds: client.accessTokenSeconds,
    ...(kept && { keptUntil: kept.sessionId === null ? kept.keptUntil : login.session.expiresAt }),
  }
}
