/** `/admin/upstreams`: the services that log people in, and a check of one by its own guarded fetch. */
import { digest } from '../../../crypto/digest.ts'
import type { Answer } from '../../../http/answer.ts'
import { textIn } from '../../../model/language.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import type { ServiceParts } from '../../../registries.ts'
import { leads, type Upstream } from '../../../upstreams/index.ts'
import { UpstreamFault } from '../../../upstreams/upstream.ts'
import { showPage } from '../../visit.ts'
import { type ConsoleVisit, consoleAction, consolePage } from '../visit.ts'
import { renderUpstreams, type ShownUpstream, type UpstreamCheck } from './upstreams-page.ts'

const addressOf = ({ settings }: Upstream): string => {
  if (settings.type === 'ldap') return settings.url
  return settings.type === 'oidc' ? settings.issuer : settings.authorizationEndpoint
}

const shownOf = (upstream: Upstream, { view }: ConsoleVisit): ShownUpstream => {
  const { id, title, type, trustEmail, signUp } = upstream.settings
  const address = addressOf(upstream)
  return { id, title: textIn(title, view.language), type, address, trustEmail, signUp }
}

/** Asks what a login would ask first: the metadata of a provider, or an entry of a directory. */
const check = async (upstream: Upstream, { at }: ConsoleVisit): Promise<UpstreamCheck> => {
  const { id, type } = upstream.settings
  if (type === 'oauth2') return { id, is: 'nothing' }
  const nobody = digest('nobody')
  const trip = {
    redirectUri: 'https://check.invalid/',
    state: nobody,
    nonce: nobody,
    verifier: nobody,
    isFresh: false,
    begunAt: at,
    at,
  }
  const answer = leads(upstream)
    ? await upstream.open.begin(trip, { loginHint: '', locales: '' })
    : await upstream.open.find('latchkey-check')
  return answer instanceof UpstreamFault
    ? { id, is: 'fails', kind: answer.kind, detail: answer.detail }
    : { id, is: 'works' }
}

const show = (
  visit: ConsoleVisit,
  checked: UpstreamCheck | null,
  { upstreams }: ServiceParts,
): Answer => {
  const shown = upstreams.list().map((one) => shownOf(one, visit))
  return showPage(visit, renderUpstreams(visit.given, shown, checked))
}

export const showUpstreams = consolePage((visit, parts) => show(visit, null, parts))

const checkNamed = async (
  visit: ConsoleVisit,
  form: Parameters,
  parts: ServiceParts,
): Promise<Answer> => {
  const upstream = parts.upstreams.find(form.find('id') ?? '')
  if (upstream === null) {
    throw new Refusal('not_found', 'unknown_upstream', 'there is no such log-in provider')
  }
  return show(visit, await check(upstream, visit), parts)
}

export const checkUpstream = consoleAction(checkNamed, 'harmless')
