/** `/admin/new-client/{kind}`: making an application of one kind. Other kinds are made by the form with every member. */
import type { Answer } from '../../../../http/answer.ts'
import { createClient } from '../../../../operations/client-changes.ts'
import { changeResource, createResource } from '../../../../operations/resource-changes.ts'
import type { JsonRow } from '../../../../operations/surface/said.ts'
import type { Parameters } from '../../../../protocol/parameters.ts'
import { Refusal } from '../../../../protocol/refusal.ts'
import type { RouteRow } from '../../../../route.ts'
import { showPage } from '../../../visit.ts'
import type { Console, ConsoleNeeds, ConsoleVisit } from '../../visit.ts'
import type { ApplicationKind, MadeApplication, Snippet } from './kind.ts'
import { findKind } from './kinds.ts'
import { kindPath, renderKindForm, renderMade } from './page.ts'
import {
  checkNames,
  type KindValues,
  listFields,
  makeGiven,
  makeValues,
  readValues,
} from './values.ts'
import { consoleKindsWords } from './words.ts'

/** What the code names. The first API among its permissions is its API. */
const describeMade = (said: JsonRow, given: JsonRow, needs: ConsoleNeeds): MadeApplication => {
  const { settings, resources } = needs
  const scope = String(said.scope ?? '')
  const asked = resources
    .list()
    .find(
      ({ name, uri }) => uri !== null && scope.split(' ').some((one) => one.startsWith(`${name}:`)),
    )
  const [redirectUri = ''] = [said.redirect_uris].flat()
  return {
    issuer: settings.issuer,
    mtlsUrl: settings.mtlsUrl ?? settings.issuer,
    id: String(said.client_id),
    method: String(said.token_endpoint_auth_method),
    redirectUri: String(redirectUri),
    scope,
    uri: String(given.uri ?? asked?.uri ?? 'https://mcp.example.com/mcp'),
    resource: String(given.name ?? asked?.name ?? 'server'),
  }
}

/** Null where the code fails. The client is made by then, and its secret is shown this once. */
export const writeSnippet = (
  { snippet }: Pick<ApplicationKind, 'snippet'>,
  made: () => MadeApplication,
): Snippet | null => {
  try {
    return snippet(made())
  } catch {
    return null
  }
}

const findNamed = ({ params }: ConsoleVisit): ApplicationKind => {
  const kind = findKind(params.kind ?? '')
  if (kind !== null) return kind
  throw new Refusal('not_found', 'unknown_kind', 'there is no such kind of application')
}

export const openKinds = (
  needs: ConsoleNeeds,
  { form, change, perform }: Console,
): readonly RouteRow[] => {
  const choiceNeeds = ({ view }: ConsoleVisit) => ({ ...needs, language: view.language })

  const show = (
    visit: ConsoleVisit,
    kind: ApplicationKind,
    values: KindValues,
    refusal: Refusal | null = null,
  ): Answer => {
    const { description: says = '', status = 200, reason = null } = refusal ?? {}
    const offered = choiceNeeds(visit)
    const names: readonly string[] = listFields(kind, offered).map(({ name }) => name)
    const field = says.split(/[^a-z_]+/).find((word) => names.includes(word)) ?? null
    const html = renderKindForm(visit.given, {
      kind,
      values,
      needs: offered,
      above: kind.above?.(visit.view, needs, consoleKindsWords(visit.view.language)) ?? null,
      problem: refusal === null ? null : { field, says },
    })
    return showPage(visit, html, { status, reason })
  }

  const create = async (visit: ConsoleVisit, kind: ApplicationKind, values: KindValues) => {
    const words = consoleKindsWords(visit.view.language)
    const given = makeGiven(kind, values, choiceNeeds(visit), words)
    const make = kind.make ?? ((body) => perform(visit, { operation: createClient, given: body }))
    const said = await make(given, visit, perform)
    const { client_secret: secret } = said
    const html = renderMade(visit.given, {
      id: String(said.client_id),
      name: String(said.client_name),
      secret: secret === undefined ? null : String(secret),
      snippet: writeSnippet(kind, () => describeMade(said, given, needs)),
    })
    return showPage(visit, html)
  }

  const send = async (visit: ConsoleVisit, sent: Parameters): Promise<Answer> => {
    const kind = findNamed(visit)
    await needs.resources.learn()
    const fields = listFields(kind, choiceNeeds(visit))
    const values = readValues(fields, sent)
    try {
      checkNames(fields, sent)
      return await create(visit, kind, values)
    } catch (fault) {
      // The form again, with the refusal beside the field. Other refusals are for the door.
      if (!(fault instanceof Refusal) || fault.status >= 500) throw fault
      return show(visit, kind, values, fault)
    }
  }

  return [
    form(kindPath, async (visit) => {
      const kind = findNamed(visit)
      await needs.resources.learn()
      return show(visit, kind, makeValues(listFields(kind, choiceNeeds(visit))))
    }),
    change(kindPath, send, [createClient, createResource, changeResource]),
  ]
}
