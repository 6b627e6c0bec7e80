/**
 * The content of the consent page: the client, its request, the new permissions, and everything out
 * of reach.
 */

import { permissionsIn, resourceOf } from '../../../access/permission.ts'
import { listNames } from '../../../access/scope.ts'
import { findLookAlike } from '../../../clients/look-alike.ts'
import type { Settings } from '../../../config/settings.ts'
import { digest } from '../../../crypto/digest.ts'
import { changeOf, computeDifference, type Difference } from '../../../journey/difference.ts'
import type { Journey } from '../../../journey/journey.ts'
import type { Duration } from '../../../model/authorization.ts'
import { type Client, findDocumentHost } from '../../../model/client.ts'
import { holderOfOwner } from '../../../model/item.ts'
import { type Language, pickText, type Text } from '../../../model/language.ts'
import type { Owner } from '../../../model/owner.ts'
import { makeRequester, type Requester } from '../../../model/requester.ts'
import type { Action, Permissions, Resource, ScopeName } from '../../../model/resource.ts'
import { isRefusable, isScopeWord, type OwnClaims, shownWords } from '../../../model/scope-word.ts'
import type { Session } from '../../../model/session.ts'
import { listShownValues } from '../../../owners/claims.ts'
import type { View } from '../../../paper/view.ts'
import { claimLabel, textsOf } from '../../../paper/words/about.ts'
import type { ServiceParts } from '../../../registries.ts'
import type { AuthorizationRequest, Target } from '../../../requests/authorization-request.ts'
import { isLoopbackUri, isNativeUri, redirectTarget } from '../../../requests/redirect-uri.ts'
import { getClientLogoPath } from '../../paths.ts'
import type { AskedPermissions, ConsentCell } from './list.ts'
import type { ConsentPage } from './page.ts'
import { consentWords } from './words.ts'

/** Someone in front of the consent page: logged in, and asked for something. */
export interface ConsentVisit {
  readonly journey: Journey
  readonly target: Target
  readonly request: AuthorizationRequest
  readonly session: Session
  readonly owner: Owner
}

/**
 * The part of a request that the owner cannot untick: required permissions, and words without a
 * choice.
 */
export const listRequired = (
  { permissions }: AuthorizationRequest,
  { requiredScope }: Pick<Client, 'requiredScope'>,
): Permissions =>
  permissions.filter(
    (name) => requiredScope.includes(name) || (isScopeWord(name) && !isRefusable(name)),
  )

type CellOf = (name: ScopeName, text: string, isDestructive?: boolean) => ConsentCell

const makeCells =
  (asked: Permissions, required: Permissions, { settled, before }: Difference): CellOf =>
  (permission, text, isDestructive = false) => ({
    permission,
    text,
    asked: asked.includes(permission),
    required: required.includes(permission),
    allowedBefore: before.get(permission) ?? null,
    settled: settled.includes(permission),
    isDestructive,
  })

const describeRow = (
  resource: Resource,
  cell: CellOf,
  reached: Permissions,
  items: number,
  language: Language,
) => {
  const { name, title, read, write, actions, destructive, uri } = resource
  const phrases = consentWords(language)
  const count = items === 0 ? null : phrases.items({ count: items })
  const cellOf = (action: string, words: Text): ConsentCell =>
    cell(`${name}:${action}`, pickText(words, language), destructive.includes(action))
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

const listAboutRows = (
  reached: Permissions,
  cell: CellOf,
  owner: Owner,
  own: readonly OwnClaims[],
  language: Language,
): AskedPermissions['about'] =>
  shownWords(own)
    .filter((word) => reached.includes(word))
    .map((word) => {
      const { title, text } = textsOf(word, own, language)
      const shown = isRefusable(word) ? listShownValues(owner, word, own) : null
      const values = shown?.map(({ claim, value }) => ({
        label: claimLabel(claim, language),
        value,
      }))
      return { word, title, cell: { ...cell(word, text), values: values ?? null } }
    })

/** Resources out of reach, and resources with only one of reading and writing. */
const describeBeyond = (
  resources: readonly Resource[],
  own: readonly OwnClaims[],
  reached: Permissions,
  language: Language,
) => {
  const titles = (fits: (name: string) => boolean): readonly string[] =>
    resources.filter(({ name }) => fits(name)).map(({ title }) => pickText(title, language))
  const actions = Map.groupBy(permissionsIn(reached), resourceOf)
  const hasOnly = (name: string, action: Action): boolean =>
    actions.get(name)?.every((one) => one === `${name}:${action}`) ?? false
  return {
    reach: titles((name) => !actions.has(name)),
    // Nobody but the operator knows whether a further action shows or changes something.
    see: titles((name) => hasOnly(name, 'write')),
    change: titles((name) => hasOnly(name, 'read')),
    know: shownWords(own)
      .filter((word) => isRefusable(word) && !reached.includes(word))
      .map((word) => textsOf(word, own, language).title),
  }
}

const findLogoPath = async (
  client: Client,
  at: number,
  needs: ServiceParts,
): Promise<string | null> => {
  const logo = await needs.logos.find(client, at)
  return getClientLogoPath(client.id, logo?.version ?? null, needs)
}

/** Goes along with the form, to tell whether the owner decides about what the owner saw. */
export const hashRequester = (requester: Requester): string =>
  digest(
    JSON.stringify([requester.name, requester.host, requester.responseTypes, requester.method]),
  )

/** The preselected duration: short for a client that registered itself. */
export const pickDuration = (
  { registeredBy }: Pick<Client, 'registeredBy'>,
  { defaultDuration }: Pick<Settings, 'defaultDuration'>,
): Duration => (registeredBy === 'itself' ? 'month' : defaultDuration)

export const consentPageOf = async (
  { target, request, session, owner }: ConsentVisit,
  view: View,
  at: number,
  needs: ServiceParts,
): Promise<Omit<ConsentPage, 'csrf' | 'journey'>> => {
  const { client } = target
  const { settings, store } = needs
  const resources = needs.resources.list()
  const { words: own } = needs.resources
  const standing = await store.findAuthorizations(owner.id, client.id, at)
  const items = await store.countItems(holderOfOwner(owner.id))
  const requester = makeRequester(client, target.redirectUri)
  const difference = computeDifference(request, client, session, standing, requester)
  const reached = [...request.permissions, ...difference.before.keys()]
  const touched = new Set(permissionsIn(reached).map(resourceOf))
  const cell = makeCells(request.permissions, listRequired(request, client), difference)
  const requires = request.permissions.some((one) => client.requiredScope.includes(one))
  return {
    view,
    client: {
      name: client.name,
      uri: client.display.client_uri ?? null,
      // Nobody has checked the picture of one that registered itself, so the page shows none.
      logoPath:
        client.registeredBy === 'operator' && client.display.logo_uri !== undefined
          ? await findLogoPath(client, at, needs)
          : null,
      reason: requires ? (client.display.required_scope_reason ?? null) : null,
      selfRegistered: client.registeredBy === 'itself',
      looksLike: client.registeredBy === 'itself' ? await findLookAlike(client.name, needs) : null,
      documentHost: findDocumentHost(client),
      isLocal: client.redirectUris.every(isLoopbackUri),
      registeredAt: client.createdAt,
      policyUri: client.display.policy_uri ?? null,
      termsUri: client.display.tos_uri ?? null,
      contacts: client.display.contacts ?? [],
    },
    requester: hashRequester(requester),
    change: changeOf(standing, requester),
    redirectHost: redirectTarget(target.redirectUri),
    opensApplication: isNativeUri(target.redirectUri),
    owner,
    rows: resources
      .filter(({ name }) => touched.has(name))
      .map((resource) =>
        describeRow(resource, cell, reached, items.get(resource.name) ?? 0, view.language),
      ),
    about: listAboutRows(reached, cell, owner, own, view.language),
    leftOut: listNames(request.leftOut),
    beyond: describeBeyond(resources, own, reached, view.language),
    duration: pickDuration(client, settings),
  }
}
