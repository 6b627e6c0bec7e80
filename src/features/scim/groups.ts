/** `/Groups` (RFC 7644 section 3). */

import { answerNothing } from '../../http/answer.ts'
import { readJsonObject } from '../../http/body.ts'
import type { Exchange } from '../../http/exchange.ts'
import { type ClientId, type GroupId, isId, makeId } from '../../model/ids.ts'
import { findMapping } from '../../operations/groups.ts'
import type { ServiceParts } from '../../registries.ts'
import type { Handler, RouteRow } from '../../route.ts'
import { traceOf } from '../../store/trace.ts'
import type { ScimGroup, ScimGroupChange, ScimHindered, ScimLookup } from './contract.ts'
import { badFilter, tooMany, unknownResource } from './errors.ts'
import type { ScimFilter } from './filter.ts'
import { applyToGroup, describeGroup, getGroupVersion, parseGroup, readMemberIds } from './group.ts'
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
import { isAbout, listEqualities } from './match.ts'
import type { ScimMembers } from './members.ts'
import { parsePatch, readResource } from './patch.ts'
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
import { groupKind } from './schema.ts'

/** The member that all found groups have, and the rest of the filter. @throws Refusal `invalidFilter` */
const splitMember = (
  filter: ScimFilter | null,
): { readonly filter: ScimFilter | null; readonly member: ScimLookup | null } => {
  if (filter === null || !isAbout(filter, 'members')) return { filter, member: null }
  const parts = filter.kind === 'and' ? filter.parts : [filter]
  const [one, another] = parts.filter((part) => isAbout(part, 'members'))
  const [[name, value] = [], ...others] = one === undefined ? [] : listEqualities(one)
  const isPlain =
    one?.kind === 'compare' || (one?.kind === 'values' && one.filter.kind === 'compare')
  if (!isPlain || another !== undefined || name !== 'members.value' || others.length > 0) {
    throw badFilter('members can be asked for by one members.value eq "..." alone, beside others')
  }
  const rest = parts.filter((part) => part !== one)
  const member = { by: 'member', value: value ?? '' } as const
  return { filter: rest.length === 0 ? null : { kind: 'and', parts: rest }, member }
}

const openGroupAnswers = ({ store, settings: { issuer } }: ServiceParts) => {
  /** @param lacking whether too many members are refused, or left out */
  const describeAll = async (
    clientId: ClientId,
    groups: readonly ScimGroup[],
    wanted: WantedParts,
    lacking: 'refused' | 'without',
  ) => {
    const plain = () => groups.map((group) => describeGroup(group, null, issuer))
    if (!isWanted('members', wanted, groupKind)) return plain()
    const most = scimLimits.membersTold
    const ids = groups.map(({ id }) => id)
    const memberships = await store.listScimMemberships(clientId, { groups: ids }, most + 1)
    if (memberships.length > most) {
      if (lacking === 'without') return plain()
      throw tooMany(`there are more than ${most} members: ask with excludedAttributes=members`)
    }
    const byGroup = Map.groupBy(memberships, ({ groupId }) => groupId)
    return groups.map((group) => describeGroup(group, byGroup.get(group.id) ?? [], issuer))
  }

  const find = async (clientId: ClientId, { params }: Exchange): Promise<ScimGroup> => {
    const id = params.id ?? ''
    const group = isId(id) ? await store.findScimGroup(clientId, id as GroupId) : null
    if (group === null) throw unknownResource()
    return group
  }

  const answer = async (
    clientId: ClientId,
    group: ScimGroup,
    exchange: Exchange,
    status: number,
    lacking: 'refused' | 'without',
  ) => {
    const wanted = readAsked(exchange, groupKind)
    const [resource = {}] = await describeAll(clientId, [group], wanted, lacking)
    return answerResource(resource, wanted, groupKind, exchange, status)
  }

  const answerPage = async (clientId: ClientId, asked: ListAsked, exchange: Exchange) => {
    const { filter, member } = splitMember(asked.filter)
    const listed = {
      list: (page: Parameters<typeof store.listScimGroups>[1]) =>
        store.listScimGroups(clientId, page),
      count: () => store.countScimGroups(clientId),
      describe: (group: ScimGroup) => describeGroup(group, null, issuer),
    }
    const { rows, total } = await findPage({ ...asked, filter }, groupKind, listed, member)
    const described = await describeAll(clientId, rows, asked, 'refused')
    return answerList(described, total, asked, groupKind, exchange)
  }

  return { find, answer, answerPage }
}

type GroupAnswers = ReturnType<typeof openGroupAnswers>

/** An upstream that maps to a group would share it with the client. */
const checkUnmapped = (names: readonly string[], needs: ServiceParts): void => {
  if (names.some((name) => findMapping(name, needs) !== null)) throw explainHindered('name_in_use')
}

/** Without `If-Match`, the members that differ are changed, and the others may be newer. */
const openGroupChanges = (needs: ServiceParts, { find, answer }: GroupAnswers) => {
  const { store } = needs

  const change =
    (
      compute: (body: ScimMembers, group: ScimGroup) => Required<ScimGroupChange>,
      isAnswered: (exchange: Exchange) => boolean,
    ): Handler =>
    async (exchange) => {
      const clientId = await findProvisioner(exchange, needs)
      const body = await readJsonObject(exchange.request, scimLimits.bodyBytes)
      readAsked(exchange, groupKind)
      const changed = await retryChange(async () => {
        const group = await find(clientId, exchange)
        checkMatch(exchange, getGroupVersion(group))
        const { name, externalId, members } = compute(body, group)
        if (name !== group.name) checkUnmapped([group.name, name], needs)
        const wanted = {
          ...(name === group.name ? {} : { name }),
          ...(externalId === group.externalId ? {} : { externalId }),
          members,
        }
        const seen = hasMatch(exchange) ? group : null
        const trace = traceOf(exchange, needs)
        const done = await store.changeScimGroup(clientId, group.id, seen, wanted, trace)
        if (typeof done === 'string' && done !== 'changed_meanwhile') throw explainHindered(done)
        return done
      })
      return isAnswered(exchange)
        ? answer(clientId, changed, exchange, 200, 'without')
        : answerNothing()
    }

  return {
    replace: change(
      (body, { externalId }) => {
        const resource = { externalId, ...readResource(body, groupKind) } as ScimMembers
        const add = readMemberIds(resource.members)
        const replaces = resource.members !== undefined
        return { ...parseGroup(resource), members: { replaces, add, remove: [] } }
      },
      () => true,
    ),
    // A group may have many members, and no directory reads the answer (RFC 7644 section 3.5.2).
    patch: change(
      (body, group) => applyToGroup(group, parsePatch(body, groupKind, group.id)),
      (exchange) => readAsked(exchange, groupKind).attributes !== null,
    ),
  }
}

const openGroupEnds = (needs: ServiceParts, { find, answer }: GroupAnswers) => {
  const { store } = needs

  const create: Handler = async (exchange) => {
    const clientId = await findProvisioner(exchange, needs)
    const body = await readJsonObject(exchange.request, scimLimits.bodyBytes)
    readAsked(exchange, groupKind)
    const resource = readResource(body, groupKind)
    const group = { id: makeId<GroupId>(needs), ...parseGroup(resource) }
    const members = readMemberIds(resource.members)
    checkUnmapped([group.name], needs)
    const trace = traceOf(exchange, needs)
    const most = scimLimits.groups
    const done = await store.createScimGroup(clientId, group, members, most, trace)
    if (typeof done !== 'string') return answer(clientId, done, exchange, 201, 'without')
    throw explainHindered(done === 'changed_meanwhile' ? 'gone' : done)
  }

  const remove: Handler = async (exchange) => {
    const clientId = await findProvisioner(exchange, needs)
    await retryChange(async (): Promise<'deleted' | Extract<ScimHindered, 'changed_meanwhile'>> => {
      const group = await find(clientId, exchange)
      checkMatch(exchange, getGroupVersion(group))
      checkUnmapped([group.name], needs)
      const seen = hasMatch(exchange) ? group : null
      const done = await store.deleteScimGroup(clientId, group.id, seen, traceOf(exchange, needs))
      if (done !== 'deleted' && done !== 'changed_meanwhile') throw explainHindered(done)
      return done
    })
    return answerNothing()
  }

  return { create, remove }
}

export const openGroups = (needs: ServiceParts): readonly RouteRow[] => {
  const answers = openGroupAnswers(needs)
  const { find, answer, answerPage } = answers

  const list: Handler = async (exchange) =>
    answerPage(await findProvisioner(exchange, needs), readAsked(exchange, groupKind), exchange)

  const search: Handler = async (exchange) => {
    const clientId = await findProvisioner(exchange, needs)
    return answerPage(clientId, parseAsked(await readSearch(exchange), groupKind), exchange)
  }

  const show: Handler = async (exchange) => {
    const clientId = await findProvisioner(exchange, needs)
    const group = await find(clientId, exchange)
    const version = getGroupVersion(group)
    return isUnchanged(exchange, version)
      ? answerUnchanged(version)
      : answer(clientId, group, exchange, 200, 'refused')
  }

  const changes = { ...openGroupChanges(needs, answers), ...openGroupEnds(needs, answers) }
  return listResourceRows(groupKind, { list, search, show, ...changes })
}
