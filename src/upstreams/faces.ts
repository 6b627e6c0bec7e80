/**
 * Pictures of owners, as their upstreams tell them: `picture` of an OpenID provider, `avatar_url` of
 * GitHub. The service fetches a picture after the login, by the rules for URLs of strangers. So no
 * login waits for its site or fails with it, and no browser asks that site.
 */
import type { Settings } from '../config/settings.ts'
import { hashText, makeSecret } from '../crypto/digest.ts'
import { createOutbound, type Deadline, setDeadline } from '../http/outbound.ts'
import type { Resolve } from '../http/reach.ts'
import type { UpstreamAccount } from '../model/factor.ts'
import type { Given, OwnerId } from '../model/ids.ts'
import type { Tell } from '../model/notice.ts'
import type { Owner } from '../model/owner.ts'
import { ownPicture, pictureNameCharacters } from '../model/picture.ts'
import { parsePlainPicture, pictureLimits } from '../model/plain/picture.ts'
import type { Store } from '../store/store.ts'
import { makeServiceTrace } from '../store/trace.ts'
import { upstreamLimits } from './limits.ts'

interface WantedFace {
  readonly owner: Pick<Owner, 'id' | 'pictureName'>
  readonly account: UpstreamAccount
  readonly url: string
  readonly source: string
}

interface FaceParts extends Given {
  readonly settings: Pick<Settings, 'demo'>
  readonly store: Store
  readonly tell: Tell
}

const { waiting: mostWaiting, milliseconds, ...most } = upstreamLimits.picture

const accept = { Accept: 'image/png, image/jpeg, image/webp' }

/** No URL of another site is kept with an owner. */
const hashSource = (url: string): string => hashText(`picture\n${url}`)

export const createFaces = (
  parts: FaceParts,
  {
    resolve,
    deadline = setDeadline,
  }: { readonly resolve?: Resolve | undefined; readonly deadline?: Deadline | undefined } = {},
) => {
  const { settings, store, clock, random, tell } = parts
  const found = resolve === undefined ? {} : { resolve }
  const rule = { loopback: settings.demo, allowed: [], deadline, milliseconds, most, ...found }
  const outbound = createOutbound(rule)
  const wanted = new Map<OwnerId, WantedFace>()
  let isUnderWay = false

  /** Why there is no picture; null where it is kept, or its owner has the same. */
  const fetchOne = async ({ owner, account, url, source }: WantedFace): Promise<string | null> => {
    const request = { url, headers: accept, mostBytes: pictureLimits.bytes } as const
    const answer = await outbound.fetch({ ...request, redirects: 'same-origin' })
    if (answer.outcome === 'failed') return `${answer.reason} ${answer.detail}`.trimEnd()
    if (answer.status !== 200) return `status ${answer.status}`
    const plain = parsePlainPicture(answer.body)
    if (plain === null) return 'no plain picture'
    const content = Buffer.from(plain.bytes).toString('base64')
    const before = owner.pictureName === '' ? null : await store.findOwnerPicture(owner.pictureName)
    // Some upstreams sign the URL anew for each login.
    if (before?.content === content) return null
    const name = makeSecret('', random).slice(0, pictureNameCharacters)
    const picture = { ownerId: owner.id, name, type: plain.type, content }
    const trace = makeServiceTrace(Math.floor(clock() / 1000), { clock, random })
    // Its owner may have chosen one meanwhile, or unlinked the account.
    await store.keepUpstreamPicture(account, source, picture, trace)
    return null
  }

  const take = async (one: WantedFace): Promise<void> => {
    const fault = await fetchOne(one).catch((thrown: unknown) => `not kept: ${String(thrown)}`)
    if (fault === null) return
    const { upstream } = one.account
    const message = 'the picture of an owner is missing'
    tell({ level: 'info', message, ownerId: one.owner.id, upstream, fault })
  }

  return {
    /**
     * Has a picture fetched soon, unless the owner chose one or none, or has it already.
     *
     * @param url as the upstream tells it; '' for none
     */
    want(
      owner: Pick<Owner, 'id' | 'pictureName' | 'pictureSource'>,
      account: UpstreamAccount,
      url: string,
    ): void {
      const source = hashSource(url)
      if (url === '' || owner.pictureSource === ownPicture || owner.pictureSource === source) return
      if (wanted.size < mostWaiting || wanted.has(owner.id)) {
        wanted.set(owner.id, { owner, account, url, source })
        return
      }
      const { upstream } = account
      const message = 'the picture of an owner is missing'
      tell({ level: 'info', message, ownerId: owner.id, upstream, fault: 'too many wait' })
    },
    /** Fetches what is wanted, a few at once. Never rejects. */
    async fetchWanted(): Promise<void> {
      if (isUnderWay) return
      isUnderWay = true
      const some = [...wanted.values()].slice(0, most.atOnce)
      for (const { owner } of some) wanted.delete(owner.id)
      await Promise.all(some.map(take))
      isUnderWay = false
    },
    /** Ends what is under way. */
    close: outbound.close,
  }
}

export type Faces = ReturnType<typeof createFaces>
