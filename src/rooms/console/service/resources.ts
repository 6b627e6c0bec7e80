/** `/admin/resources`: the resources of the service, one of them, and its form. */
import {
  newResourceIn,
  type ResourceTexts,
  resourceChangesIn,
  resourceTexts,
  typedResource,
} from '../../../access/resource-form.ts'
import { versionOf } from '../../../clients/form-members.ts'
import type { Answer } from '../../../http/answer.ts'
import {
  changeResource,
  createResource,
  deleteResource,
  findNamedResource,
} from '../../../operations/resources.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import { showPage } from '../../visit.ts'
import { perform, performUnlessGone } from '../perform.ts'
import { orShowForm } from '../typed.ts'
import {
  answerConsole,
  type ConsoleVisit,
  changedMeanwhile,
  consoleAction,
  consoleForm,
  consoleNotice,
  consolePage,
} from '../visit.ts'
import { renderResourceForm } from './resource-form.ts'
import { renderResource, renderResources, resourcePath } from './resources-page.ts'
import { consoleServiceWords } from './words.ts'

const noticeFor = (visit: ConsoleVisit): string | null =>
  consoleNotice(visit, consoleServiceWords(visit.view.language).resources.done)

export const showResources = consolePage(async (visit, { resources }) => {
  await resources.learn()
  return showPage(visit, renderResources(visit.given, resources.list(), noticeFor(visit)))
})

export const showResource = consolePage(async (visit, parts) =>
  showPage(
    visit,
    renderResource(visit.given, await findNamedResource(visit, parts), noticeFor(visit)),
  ),
)

export const deleteConsoleResource = consoleAction(async (visit, _form, parts) => {
  await findNamedResource(visit, parts)
  const deleted = await performUnlessGone(visit, { operation: deleteResource }, parts)
  return answerConsole(visit, '/admin/resources', deleted === null ? 'gone' : 'deleted')
})

const showForm = (
  visit: ConsoleVisit,
  name: string | null,
  fields: ResourceTexts,
  version: string,
  refusal: Refusal | null,
): Answer => {
  const form = { name, fields, version, problem: refusal?.description ?? null }
  const refused = refusal === null ? {} : { status: refusal.status, reason: refusal.reason }
  return showPage(visit, renderResourceForm(visit.given, form), refused)
}

export const showNewResource = consoleForm((visit) => showForm(visit, null, {}, '', null))

export const createConsoleResource = consoleAction((visit, form, parts) => {
  const typed = typedResource(form)
  return orShowForm(
    async () => {
      const asked = { operation: createResource, given: newResourceIn(typed) }
      const { name } = await perform(visit, asked, parts)
      return answerConsole(visit, resourcePath(String(name)), 'created')
    },
    (refusal) => showForm(visit, null, typed, '', refusal),
  )
})

export const showResourceForm = consoleForm(async (visit, parts) => {
  const resource = await findNamedResource(visit, parts)
  const fields = resourceTexts(resource)
  return showForm(visit, resource.name, fields, versionOf(fields), null)
})

export const changeConsoleResource = consoleAction(async (visit, form, parts) => {
  const resource = await findNamedResource(visit, parts)
  const typed = typedResource(form)
  const before = resourceTexts(resource)
  const version = form.find('version') ?? ''
  return orShowForm(
    async () => {
      if (version !== versionOf(before)) throw changedMeanwhile()
      const asked = { operation: changeResource, given: resourceChangesIn(typed, before) }
      const changed = await performUnlessGone(visit, asked, parts)
      return changed === null
        ? answerConsole(visit, '/admin/resources', 'gone')
        : answerConsole(visit, resourcePath(resource.name), 'changed')
    },
    (refusal) => showForm(visit, resource.name, typed, version, refusal),
  )
})
