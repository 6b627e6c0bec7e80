/** The journey of a device: its owner sees who asks, and at its end the store hears the decision. */
import { decryptStatement } from '../../crypto/encrypted-statement.ts'
import type { Answer } from '../../http/answer.ts'
import { type Journey, openJourney, sealJourney } from '../../journey/journey.ts'
import { type Situated, situate } from '../../journey/situation.ts'
import type { Client } from '../../model/client.ts'
import type { View } from '../../paper/view.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { invalidRequest, type Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import { answerSeeOther, type BrowserVisit, makeView, showPage } from '../../rooms/visit.ts'
import { traceOf } from '../../store/trace.ts'
import { formatTerms } from '../../tokens/polled-request.ts'
import { formatUserCode, userCodeStatement } from './codes.ts'
import { type DeviceEnd, renderAsking, renderEnd } from './page.ts'

/** Where journeys of devices begin and end. */
export const devicePath = '/device'

interface FoundJourney extends Pick<Situated, 'next'> {
  readonly text: string
  readonly journey: Journey
  readonly client: Client
  readonly view: View
}

const showEnd = (
  { client, view }: Pick<FoundJourney, 'client' | 'view'>,
  end: DeviceEnd,
  reason: string | null = null,
  path?: `/account/access/${string}`,
): Answer =>
  showPage(
    { view },
    renderEnd(view, client.name, end, path),
    reason === null ? {} : { status: 400, reason },
  )

const showOver = (found: FoundJourney): Answer => showEnd(found, 'over', 'device_over')

/** The page about the device, before consent. */
const openAsking =
  ({ store, keyring }: ServiceParts) =>
  async (found: FoundJourney, { at, login, csrf, caller }: BrowserVisit): Promise<Answer> => {
    const { text, journey, client, view } = found
    const device = await store.findDevice(journey.id)
    if (device?.state !== 'pending' || device.expiresAt <= at || login === null) {
      return showOver(found)
    }
    const sealed = journey.ending?.sealed ?? ''
    const code = await decryptStatement(userCodeStatement, sealed, keyring)
    const html = renderAsking({
      view,
      csrf,
      journey: text,
      clientName: client.name,
      clientRegisteredBy: client.registeredBy,
      clientId: client.id,
      clientUri: client.display.client_uri ?? null,
      owner: login.owner,
      code: formatUserCode(code ?? ''),
      askedAt: device.createdAt,
      network: device.network,
      isSameNetwork: device.network !== '' && device.network === caller.network,
    })
    return showPage({ view }, html)
  }

const leadOn = (text: string, visit: BrowserVisit): Answer =>
  answerSeeOther(visit, '/authorize', { journey: text })

const openDenying = (needs: ServiceParts) => {
  const { store } = needs
  const deny = async (found: FoundJourney, visit: BrowserVisit): Promise<Answer> => {
    const { id } = found.journey
    const isDenied = await store.denyDevice(
      id,
      visit.login?.owner.id ?? null,
      traceOf(visit, needs),
    )
    const device = isDenied ? null : await store.findDevice(id)
    return isDenied || device?.state === 'denied' ? showEnd(found, 'denied') : showOver(found)
  }

  /** A request that nobody here can approve is denied, as an application would hear its refusal. */
  const refuse = async (
    found: FoundJourney,
    { reason }: Refusal,
    visit: BrowserVisit,
  ): Promise<Answer> => {
    if (reason === 'owner_denied') return deny(found, visit)
    await deny(found, visit)
    return showEnd(found, 'impossible', reason)
  }

  return { deny, refuse }
}

/** Whether this owner may still decide, as the store asks it. */
const isOpenTo = async (
  { id }: Journey,
  { at, login }: BrowserVisit,
  { store }: ServiceParts,
): Promise<boolean> => {
  const device = await store.findDevice(id)
  if (device === null || device.expiresAt <= at) return false
  const { state, authorizationId: by } = device
  if (state === 'pending' || by === null) return state === 'pending'
  const authorization = state === 'approved' ? await store.findAuthorization(by, at) : null
  return authorization !== null && authorization.ownerId === login?.owner.id
}

/** The steps of a journey that are taken here. All others are taken where those of applications are. */
export const openJourneying = (needs: ServiceParts) => {
  const { store } = needs
  const showAsking = openAsking(needs)
  const { deny, refuse } = openDenying(needs)

  const find = async (text: string, visit: BrowserVisit): Promise<FoundJourney> => {
    const journey = await openJourney(text, visit.browser, visit.at, needs)
    if (journey.ending?.page !== devicePath) {
      throw invalidRequest('foreign_journey', 'this page belongs to another request: start again')
    }
    const { target, next } = await situate(journey, visit, visit.at, needs)
    const view = makeView(visit, needs, journey, visit.login?.owner.pages)
    return { text, journey, client: target.client, next, view }
  }

  return {
    async show(text: string, visit: BrowserVisit): Promise<Answer> {
      const found = await find(text, visit)
      const { journey, next } = found
      switch (next.step) {
        case 'begin':
          return showAsking(found, visit)
        case 'answer': {
          const { terms, authorization } = next
          const { id: authorizationId, salt } = authorization
          const by = { authorizationId, salt, terms: formatTerms(terms) }
          const isApproved = await store.approveDevice(journey.id, by, traceOf(visit, needs))
          if (isApproved)
            return showEnd(found, 'approved', null, `/account/access/${authorizationId}`)
          break
        }
        case 'refuse':
          return refuse(found, next.refusal, visit)
      }
      // The login or the approval may have ended meanwhile, or be paused: then there is another step.
      return (await isOpenTo(journey, visit, needs)) ? leadOn(text, visit) : showOver(found)
    },
    async decide(text: string, form: Parameters, visit: BrowserVisit): Promise<Answer> {
      const found = await find(text, visit)
      const { journey, next } = found
      if (next.step !== 'begin') return leadOn(text, visit)
      switch (form.find('decision')) {
        case 'continue': {
          const begunBy = visit.login?.session.id ?? null
          const begun = { ...journey, ending: journey.ending && { ...journey.ending, begunBy } }
          return leadOn(sealJourney(begun, visit.browser, needs), visit)
        }
        case 'deny':
          return deny(found, visit)
        default:
          throw invalidRequest('device_decision', 'decision has to be continue or deny')
      }
    },
  }
}
