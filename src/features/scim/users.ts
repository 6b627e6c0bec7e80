/** `/Users` (RFC 7644 section 3). */

import { mailKeepSeconds } from '../../events/limits.ts'
import { answerNothing } from '../../http/answer.ts'
import { readJsonObject } from '../../http/body.ts'
import type { Exchange } from '../../http/exchange.ts'
import { type ClientId, isOwnerId, type MailId, makeId, type OwnerId } from '../../model/ids.ts'
import { english } from '../../model/language.ts'
import { makeOwner } from '../../owners/registration.ts'
import { canMail } from '../../owners/ways-in.ts'
import type { ServiceParts } from '../../registries.ts'
import type { Handler, RouteRow } from '../../route.ts'
import { traceOf } from '../../store/trace.ts'
import type { ScimChangeRule, ScimUser } from './contract.ts'
import { badFilter, tooMany, unknownResource } from './errors.ts'
import { scimLimits } from './limits.ts'
import {
  answerList,
  answerResource,
  answerUnchanged,
  findPage,
  type ListAsked,
  parseAsked,
  readAsked,
  readSearch,
} from './list.ts'
import { isAbout } from './match.ts'
import type { ScimMembers } from './members.ts'
import { applyChange, parsePatch, readResource } from './patch.ts'
import { isWanted, type WantedParts } from './project.ts'
import {
  checkMatch,
  explainHindered,
  findProvisioner,
  hasMatch,
  isUnchanged,
  retryChange,
} from './provisioner.ts'
import { listResourceRows } from './rows.ts'
import { userKind } from './schema.ts'
import { describeUser, getUserVersion, listUserChange, parseUser } from './user.ts'

const openUserAnswers = ({ store, settings: { issuer } }: ServiceParts) => {
  /** Users as a request wants them. */
  const describeAll = async (
    clientId: ClientId,
    users: readonly ScimUser[],
    wanted: WantedParts,
  ) => {
    if (!isWanted('groups', wanted, userKind)) {
      return users.map((user) => describeUser(user, null, issuer))
    }
    const most = scimLimits.membersTold
    const owners = users.map(({ owner }) => owner.id)
    const memberships = await store.listScimMemberships(clientId, { owners }, most + 1)
    if (memberships.length > most) {
      throw tooMany('the users have too many groups for one answer: excludedAttributes=groups')
    }
    const byOwner = Map.groupBy(memberships, ({ ownerId }) => ownerId)
    return users.map((user) => describeUser(user, byOwner.get(user.owner.id) ?? [], issuer))
  }

  const find = async (clientId: ClientId, { params }: Exchange): Promise<ScimUser> => {
    const id = params.id ?? ''
    const user = isOwnerId(id) ? await store.findScimUser(clientId, id as OwnerId) : null
    if (user === null) throw unknownResource()
    return user
  }

  const answer = async (clientId: ClientId, user: ScimUser, exchange: Exchange, status = 200) => {
    const wanted = readAsked(exchange, userKind)
    const [resource = {}] = await describeAll(clientId, [user], wanted)
    return answerResource(resource, wanted, userKind, exchange, status)
  }

  const answerPage = async (clientId: ClientId, asked: ListAsked, exchange: Exchange) => {
    if (asked.filter !== null && isAbout(asked.filter, 'groups')) {
      throw badFilter('users are not searched by groups: search groups by members.value')
    }
    const { rows, total } = await findPage(asked, userKind, {
      list: (page) => store.listScimUsers(clientId, page),
      count: () => store.countScimUsers(clientId),
      describe: (user) => describeUser(user, null, issuer),
    })
    const described = await describeAll(clientId, rows, asked)
    return answerList(described, total, asked, userKind, exchange)
  }

  return { find, answer, answerPage }
}

/** The mail to a confirmed address that a directory replaces. */
const makeNotice = (
  { owner: { pages } }: ScimUser,
  at: number,
  parts: ServiceParts,
): ScimChangeRule['notice'] =>
  canMail(parts)
    ? {
        id: makeId<MailId>(parts),
        kind: 'moving',
        language: pages.language ?? english.tag,
        waits: false,
        nextAt: at,
        tries: 0,
        expiresAt: at + mailKeepSeconds,
      }
    : null

const openUserChanges = (
  needs: ServiceParts,
  { find, answer }: ReturnType<typeof openUserAnswers>,
) => {
  const { store } = needs

  /** @param compute the resource as it will be, of the body and the resource as it is */
  const change =
    (compute: (body: ScimMembers, user: ScimUser) => ScimMembers): Handler =>
    async (exchange) => {
      const clientId = await findProvisioner(exchange, needs)
      const body = await readJsonObject(exchange.request, scimLimits.bodyBytes)
      readAsked(exchange, userKind)
      const changed = await retryChange(async () => {
        const user = await find(clientId, exchange)
        checkMatch(exchange, getUserVersion(user))
        const wanted = listUserChange(user, parseUser(compute(body, user), user.owner))
        if (Object.keys(wanted).length === 0) return user
        const trace = traceOf(exchange, needs)
        const how = { whole: hasMatch(exchange), notice: makeNotice(user, trace.at, needs) }
        const done = await store.changeScimUser(clientId, user, wanted, how, trace)
        if (typeof done === 'string' && done !== 'changed_meanwhile') throw explainHindered(done)
        return done
      })
      return answer(clientId, changed, exchange)
    }

  const create: Handler = async (exchange) => {
    const clientId = await findProvisioner(exchange, needs)
    const body = await readJsonObject(exchange.request, scimLimits.bodyBytes)
    readAsked(exchange, userKind)
    const { externalId, formatted, disabled, ...told } = parseUser(
      readResource(body, userKind),
      null,
    )
    // A password that others know is none. The owner chooses one, or logs in elsewhere.
    const owner = { ...makeOwner(told, '', needs), disabled }
    const note = { externalId, formatted }
    const trace = traceOf(exchange, needs)
    const done = await store.createScimUser(clientId, owner, note, trace)
    if (done !== 'created') throw explainHindered(done === 'changed_meanwhile' ? 'gone' : done)
    return answer(clientId, { owner, ...note, changedAt: trace.at }, exchange, 201)
  }

  const remove: Handler = async (exchange) => {
    const clientId = await findProvisioner(exchange, needs)
    await retryChange(async () => {
      const user = await find(clientId, exchange)
      checkMatch(exchange, getUserVersion(user))
      const seen = hasMatch(exchange) ? user : null
      const trace = traceOf(exchange, needs)
      const done = await store.deleteScimUser(clientId, user.owner.id, seen, trace)
      if (done !== 'deleted' && done !== 'changed_meanwhile') throw explainHindered(done)
      return done
    })
    return answerNothing()
  }

  return {
    create,
    remove,
    /** Some directories leave out the external id, so it stays without a word. */
    replace: change((body, { externalId }) => ({ externalId, ...readResource(body, userKind) })),
    patch: change((body, user) =>
      parsePatch(body, userKind, user.owner.id).reduce(
        applyChange,
        describeUser(user, null, needs.settings.issuer),
      ),
    ),
  }
}

export const openUsers = (needs: ServiceParts): readonly RouteRow[] => {
  const answers = openUserAnswers(needs)
  const { find, answer, answerPage } = answers
  const { create, remove, replace, patch } = openUserChanges(needs, answers)

  const list: Handler = async (exchange) =>
    answerPage(await findProvisioner(exchange, needs), readAsked(exchange, userKind), exchange)

  const search: Handler = async (exchange) => {
    const clientId = await findProvisioner(exchange, needs)
    return answerPage(clientId, parseAsked(await readSearch(exchange), userKind), exchange)
  }

  const show: Handler = async (exchange) => {
    const clientId = await findProvisioner(exchange, needs)
    const user = await find(clientId, exchange)
    const version = getUserVersion(user)
    // Groups change without the user, and so without the version.
    const isSame = !isWanted('groups', readAsked(exchange, userKind), userKind)
    return isSame && isUnchanged(exchange, version)
      ? answerUnchanged(version)
      : answer(clientId, user, exchange)
  }

  return listResourceRows(userKind, { list, search, create, show, replace, patch, remove })
}
