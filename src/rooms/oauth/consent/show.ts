/**
 * The content of the consent page: the client, its request, and the new permissions.
 */
import { listNames } from '../../../access/scope.ts'
import { findLookAlike } from '../../../clients/look-alike.ts'
import type { Settings } from '../../../config/settings.ts'
import { hashText } from '../../../crypto/digest.ts'
import type { Journey } from '../../../journey/journey.ts'
import type { Situated } from '../../../journey/situation.ts'
import type { Authorization, Duration } from '../../../model/authorization.ts'
import { type Client, findDocumentHost, isPublic } from '../../../model/client.ts'
import { holderOfOwner } from '../../../model/ids.ts'
import { type Language, pickText, type Text } from '../../../model/language.ts'
import { findConsoleRole, type Owner } from '../../../model/owner.ts'
import {
  getRedirectHost,
  isApprovedFor,
  isNativeUri,
  makeRequester,
  type Requester,
  type RequesterChange,
  requesterChange,
} from '../../../model/requester.ts'
import type { Harm, Permissions, Resource, ScopeName } from '../../../model/resource.ts'
import { isRefusable, isScopeWord, listWords, type OwnClaims } from '../../../model/scope-word.ts'
import type { Session } from '../../../model/session.ts'
import { listShownValues } from '../../../owners/claims.ts'
import { findToldGroups } from '../../../owners/told-groups.ts'
import { findHarm } from '../../../paper/resource-row.ts'
import type { View } from '../../../paper/view.ts'
import { claimLabel, explain } from '../../../paper/words/about.ts'
import type { ServiceParts } from '../../../registries.ts'
import type { AuthorizationRequest } from '../../../requests/authorization-request.ts'
import { isLoopbackUri } from '../../../requests/redirect-uri.ts'
import { getClientLogoPath } from '../../visit.ts'
import { hashAsked } from './asked.ts'
import type { AskedPermissions, ConsentCell } from './cells.ts'
import { listDetailLines } from './details.ts'
import type { ConsentPage } from './page.ts'
import { consentWords } from './words.ts'

/** Someone in front of the consent page: logged in, and asked for something. */
export interface ConsentVisit extends Pick<Situated, 'target' | 'standing'> {
  readonly journey: Journey
  readonly request: AuthorizationRequest
  readonly session: Session
  readonly owner: Owner
}

type Difference = ReturnType<typeof computeDifference>

/** Whether it stands until it is taken back. */
const isForGood = ({ sessionId, expiresAt }: Authorization): boolean =>
  sessionId === null && expiresAt === null

/**
 * The client's changes since an approval; null without any, or if the owner has seen them since.
 */
const changeOf = (
  standing: readonly Authorization[],
  { host, ...requester }: Requester,
): RequesterChange | null => {
  const changes = standing.flatMap(({ approvedFor }) => {
    if (approvedFor === null) return []
    const { hosts } = approvedFor
    const isUnknown = host !== null && hosts.length === 0
    const now = { ...requester, hosts: host === null || isUnknown ? hosts : [host] }
    const change = requesterChange(approvedFor, now)
    // An approval for a device alone says nothing of any host.
    return isUnknown && change === null ? [] : [change]
  })
  return changes.includes(null) ? null : (changes[0] ?? null)
}

/**
 * Everything is decided anew without a new permission, and for a client whose name proves nothing.
 * An approval from before a change of the client settles nothing either.
 *
 * @param standing the longest-lasting first
 */
export const computeDifference = (
  { permissions, prompt, grant }: AuthorizationRequest,
  client: Client,
  session: Session,
  standing: readonly Authorization[],
  requester: Requester,
) => {
  /** All that was allowed before, asked for now or not, with what it is allowed by the longest. */
  const before = new Map<ScopeName, Authorization>()
  for (const authorization of standing) {
    if (authorization.sessionId !== null && authorization.sessionId !== session.id) continue
    // A replacement takes all that the grant has.
    if (grant?.action === 'replace' && grant.id === authorization.id) continue
    for (const permission of authorization.permissions) {
      if (!before.has(permission)) before.set(permission, authorization)
    }
  }
  const lasts = (permission: ScopeName): boolean => {
    const by = before.get(permission)
    return by !== undefined && isForGood(by) && isApprovedFor(by.approvedFor, requester)
  }
  const isNew = permissions.some((permission) => !before.has(permission))
  const isAsked = !isNew || isPublic(client) || prompt.includes('consent')
  // Permissions with an end are not settled: they would get the end of the new ones.
  const settled: Permissions = isAsked ? [] : permissions.filter(lasts)
  return { settled, before }
}

/**
 * The part of a request that the owner cannot untick: required permissions, and words without a
 * choice.
 *
 * @param known the names that exist: nobody can tick another one
 */
export const listRequired = (
  { permissions }: AuthorizationRequest,
  { requiredScope }: Pick<Client, 'requiredScope'>,
  known: ReadonlySet<string>,
): Permissions =>
  permissions.filter(
    (name) =>
      (requiredScope.includes(name) && known.has(name)) ||
      (isScopeWord(name) && !isRefusable(name)),
  )

type CellOf = (name: ScopeName, text: string, harm?: Harm | null) => ConsentCell

export const makeCells =
  (asked: Permissions, required: Permissions, { settled, before }: Difference): CellOf =>
  (permission, text, harm = null) => ({
    permission,
    text,
    asked: asked.includes(permission),
    required: required.includes(permission),
    allowedBefore: before.get(permission) ?? null,
    settled: settled.includes(permission),
    harm,
  })

export const describeRow = (
  resource: Resource,
  cell: CellOf,
  reached: Permissions,
  items: number,
  language: Language,
) => {
  const { name, title, read, write, actions, uri } = resource
  const phrases = consentWords(language)
  const count = items === 0 ? null : phrases.items({ count: items })
  const cellOf = (action: string, words: Text): ConsentCell =>
    cell(`${name}:${action}`, pickText(words, language), findHarm(resource, action))
  return {
    resource: name,
    title: pickText(title, language),
    note: uri === null ? count : phrases.elsewhere({ host: new URL(uri).host }),
    read: cellOf('read', read),
    write: cellOf('write', write),
    further: Object.entries(actions)
      .filter(([action]) => reached.includes(`${name}:${action}`))
      .map(([action, words]) => cellOf(action, words)),
  }
}

/** What people least expect to tell comes first. */
const rankClaim = (claim: string): number => ['gender', 'birthdate', claim].indexOf(claim)

export const listAboutRows = (
  reached: Permissions,
  cell: CellOf,
  owner: Owner,
  own: readonly OwnClaims[],
  groups: readonly string[],
  language: Language,
): AskedPermissions['about'] =>
  listWords(own)
    .filter((word) => reached.includes(word))
    .map((word) => {
      const { title, text } = explain(word, own, language)
      const shown = isRefusable(word) ? listShownValues(owner, word, own, groups) : null
      const sorted = shown?.toSorted((a, b) => rankClaim(a.claim) - rankClaim(b.claim))
      const values = sorted?.map(({ claim, value }) => ({
        label: claimLabel(claim, language),
        value,
      }))
      return { word, title, cell: { ...cell(word, text), values: values ?? null } }
    })

/** Goes along with the form, to tell whether the owner decides about what the owner saw. */
export const hashRequester = (requester: Requester): string =>
  hashText(
    JSON.stringify([requester.name, requester.host, requester.responseTypes, requester.method]),
  )

/** The preselected duration: short for a client that registered itself. */
export const pickDuration = (
  { registeredBy }: Pick<Client, 'registeredBy'>,
  { defaultDuration }: Pick<Settings, 'defaultDuration'>,
): Duration => (registeredBy === 'itself' ? 'month' : defaultDuration)

export const prepareConsent = async (
  { target, standing, request, session, owner }: ConsentVisit,
  view: View,
  at: number,
  needs: ServiceParts,
): Promise<Omit<ConsentPage, 'csrf' | 'journey'>> => {
  const { client } = target
  const { settings, store } = needs
  const { latest, words: own } = needs.resources
  const resources = latest.all
  const requester = makeRequester(client, target.redirectUri)
  const difference = computeDifference(request, client, session, standing, requester)
  const reached = [...request.permissions, ...difference.before.keys()]
  const groups = reached.includes('groups')
    ? await findToldGroups(client, owner.id, reached, store)
    : []
  const touched = resources.filter(({ name }) => reached.some((one) => one.startsWith(`${name}:`)))
  // Other resources keep their items elsewhere.
  const items = touched.some(({ uri }) => uri === null)
    ? await store.countItems(holderOfOwner(owner.id))
    : null
  const cell = makeCells(
    request.permissions,
    listRequired(request, client, latest.names),
    difference,
  )
  const details = request.terms.details ?? []
  const selfRegistered = client.registeredBy === 'itself'
  // Nobody has checked the picture of one that registered itself, so the page shows none.
  const hasLogo = !selfRegistered && client.display.logo_uri !== undefined
  const logo = hasLogo ? await needs.logos.find(client, at) : null
  const documentHost = selfRegistered ? findDocumentHost(client) : null
  const requires = request.permissions.some((one) => client.requiredScope.includes(one))
  return {
    view,
    client: {
      name: client.name,
      uri: client.display.client_uri ?? null,
      logoPath: logo && getClientLogoPath(client.id, logo.version, needs),
      reason: requires ? (client.display.required_scope_reason ?? null) : null,
      selfRegistered,
      looksLike: selfRegistered ? await findLookAlike(client.name, needs) : null,
      documentHost,
      isLocal: documentHost !== null && client.redirectUris.every(isLoopbackUri),
      registeredAt: client.createdAt,
      policyUri: client.display.policy_uri ?? null,
      termsUri: client.display.tos_uri ?? null,
      contacts: client.display.contacts ?? [],
    },
    requester: hashRequester(requester),
    actsAs: target.isCommandLine ? findConsoleRole(owner) : null,
    asked: request.grant === undefined ? null : hashAsked(request),
    change: changeOf(standing, requester),
    redirectHost: target.redirectUri && getRedirectHost(target.redirectUri),
    opensApplication: target.redirectUri !== null && isNativeUri(target.redirectUri),
    owner,
    rows: touched.map((resource) =>
      describeRow(resource, cell, reached, items?.get(resource.name) ?? 0, view.language),
    ),
    about: listAboutRows(reached, cell, owner, own, groups, view.language),
    ...(details.length === 0
      ? {}
      : { details: listDetailLines(details, resources, view.language) }),
    leftOut: request.leftOut.length === 0 ? '' : listNames(request.leftOut),
    duration: pickDuration(client, settings),
  }
}
