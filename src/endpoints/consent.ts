/** The consent page: the owner decides which permissions the client gets, and for how long. */
import { resourceOf, without } from '../access/permission.ts'
import { newSalt } from '../crypto/digest.ts'
import { type Answer, answerRedirect } from '../http/answer.ts'
import { type Exchange, queryOf } from '../http/exchange.ts'
import { type Journey, openJourney, sealJourney } from '../journey/journey.ts'
import type { Duration } from '../model/authorization.ts'
import type { AuthorizationId } from '../model/ids.ts'
import type { Language } from '../model/language.ts'
import type { Owner } from '../model/owner.ts'
import type { Permission, Permissions, Resource } from '../model/resource.ts'
import type { Session } from '../model/session.ts'
import { csrfToken, findVisitor, type Visitor } from '../owners/session.ts'
import { type ConsentCell, renderConsent } from '../pages/consent.ts'
import { makeId, type Parts, traceOf } from '../parts.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { AuthorizationRequest, Target } from '../requests/authorization-request.ts'
import { redirectTarget } from '../requests/redirect-uri.ts'
import { situate } from './authorize.ts'
import { readOwnForm } from './forms.ts'
import { pagePath } from './paths.ts'
import { showPage, viewOf } from './view.ts'

/** Someone in front of the consent page: logged in, and asked for something. */
interface Asked {
  readonly journey: Journey
  readonly target: Target
  readonly request: AuthorizationRequest
  readonly session: Session
  readonly owner: Owner
}

/** Null where there is nothing to decide; then `/authorize` knows what comes next. */
const findAsked = async (
  text: string,
  visitor: Visitor,
  at: number,
  parts: Parts,
): Promise<Asked | null> => {
  const journey = await openJourney(text, visitor.browser, at, parts)
  const { target, next } = await situate(journey, visitor, at, parts)
  // What another tab was allowed meanwhile does not answer for someone who has this page open.
  const isOpen = next.step === 'consent' || (next.step === 'answer' && journey.decision === null)
  if (!isOpen || visitor.login === null) return null
  return { journey, target, request: next.request, ...visitor.login }
}

/** The cells of one resource, for what the request asks and what was allowed before. */
const rowOf = (
  { name, title, read, write }: Resource,
  asked: Permissions,
  required: Permissions,
  before: Permissions,
  language: Language,
) => {
  const cell = (action: 'read' | 'write', text: string): ConsentCell => {
    const permission: Permission = `${name}:${action}`
    return {
      permission,
      text,
      asked: asked.includes(permission),
      required: required.includes(permission),
      allowedBefore: before.includes(permission),
    }
  }
  return {
    resource: name,
    title: title[language],
    read: cell('read', read[language]),
    write: cell('write', write[language]),
  }
}

/** `GET /consent` */
export const showConsentPage = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const { request, at } = exchange
  const visitor = await findVisitor(request, at, parts)
  const text = queryOf(request).find('journey') ?? ''
  const asked = await findAsked(text, visitor, at, parts)
  if (asked === null) return answerRedirect(pagePath(parts, 'authorize', text), 303)
  const { client, redirectUri } = asked.target
  const standing = await parts.store.findAuthorizations(asked.owner.id, client.id, at)
  const before = standing.flatMap(({ permissions }) => permissions)
  const permissions = asked.request.permissions
  const view = viewOf(exchange, parts, asked.journey)
  const touched = new Set([...permissions, ...before].map(resourceOf))
  const rows = parts.settings.resources
    .filter(({ name }) => touched.has(name))
    .map((resource) => rowOf(resource, permissions, client.requiredScope, before, view.language))
  const html = renderConsent({
    view,
    csrf: csrfToken(visitor),
    journey: text,
    client: {
      name: client.name,
      uri: client.display.client_uri ?? null,
      logoUri: client.display.logo_uri ?? null,
      selfRegistered: client.registeredBy === 'itself',
      registeredAt: client.createdAt,
    },
    redirectHost: redirectTarget(redirectUri),
    owner: asked.owner,
    rows,
  })
  return showPage(view, html)
}

const badConsent = (description: string): Refusal =>
  new Refusal('invalid_request', 'bad_consent', description)

const daySeconds = 86_400

const durations: readonly Duration[] = ['session', 'day', 'month', 'forever']

const parseDuration = (form: Parameters): Duration => {
  const given = form.find('duration') ?? 'forever'
  const duration = durations.find((known) => known === given)
  if (duration === undefined) {
    throw badConsent(`duration has to be one of ${durations.join(', ')}`)
  }
  return duration
}

const endOf = (duration: Duration, session: Session, at: number): number | null => {
  switch (duration) {
    case 'session':
      return session.expiresAt
    case 'day':
      return at + daySeconds
    case 'month':
      return at + 30 * daySeconds
    case 'forever':
      return null
  }
}

/** What was ticked, all of it asked for and all that is required among it. */
const parseTicked = (form: Parameters, { request, target }: Asked): Permissions => {
  const ticked = new Set(form.all('permission'))
  const asked = request.permissions
  const permissions = asked.filter((permission) => ticked.has(permission))
  if (permissions.length < ticked.size) {
    throw badConsent('a permission was ticked that the application did not ask for')
  }
  const required = asked.filter((permission) => target.client.requiredScope.includes(permission))
  if (permissions.length > 0 && without(required, permissions).length > 0) {
    throw badConsent(
      'the application cannot work without one of the permissions that were not ticked: allow it, or deny access',
    )
  }
  return permissions
}

const decide = (form: Parameters): 'allow' | 'deny' => {
  const decision = form.find('decision')
  if (decision !== 'allow' && decision !== 'deny') {
    throw badConsent('decision has to be allow or deny')
  }
  return decision
}

/** `POST /consent`: writes down what was approved; nothing ticked is a denial. */
export const consent = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const { request, at } = exchange
  const visitor = await findVisitor(request, at, parts)
  const form = await readOwnForm(request, visitor, parts)
  const text = form.find('journey') ?? ''
  const asked = await findAsked(text, visitor, at, parts)
  if (asked === null) return answerRedirect(pagePath(parts, 'authorize', text), 303)
  const permissions = decide(form) === 'allow' ? parseTicked(form, asked) : []
  const authorizationId =
    permissions.length === 0 ? null : await approve(form, permissions, asked, exchange, parts)
  const decision = { by: asked.session.id, authorizationId, permissions }
  const onward = sealJourney({ ...asked.journey, decision }, visitor.browser ?? '', parts)
  return answerRedirect(pagePath(parts, 'authorize', onward), 303)
}

const approve = async (
  form: Parameters,
  permissions: Permissions,
  { target, request, session, owner }: Asked,
  exchange: Exchange,
  parts: Parts,
): Promise<AuthorizationId> => {
  const duration = parseDuration(form)
  const authorization = await parts.store.approve(
    {
      id: makeId<AuthorizationId>(parts),
      clientId: target.client.id,
      ownerId: owner.id,
      asked: request.permissions,
      permissions,
      duration,
      sessionId: duration === 'session' ? session.id : null,
      expiresAt: endOf(duration, session, exchange.at),
      salt: newSalt(parts.random),
      proof: { session: session.id },
    },
    traceOf(exchange, parts),
  )
  if (authorization === null) throw badConsent('the application or the login has just ended')
  return authorization.id
}
