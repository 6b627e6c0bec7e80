/** Who a hint means. Nobody outside learns whether there is such a person. */
import type { Client } from '../../model/client.ts'
import type { OwnerId } from '../../model/ids.ts'
import { type Owner, usernameKey } from '../../model/owner.ts'
import { isPairwise } from '../../model/sector.ts'
import { getSub, type Subjects } from '../../owners/pairwise-secret.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { invalidRequest } from '../../protocol/refusal.ts'
import type { Store } from '../../store/store.ts'
import { backchannelLimits } from './limits.ts'

export interface FoundPerson {
  /** Null for nobody, and for an owner who cannot decide. */
  readonly owner: Owner | null
  /** Stands for the hint in the store. */
  readonly hint: string
}

/** No id of an owner: a look-up for it takes as long as any other. */
const nobody = '-' as OwnerId

/** Addresses in two spellings may be those of two owners. Who has verified it comes first. */
const ownersOfAddress = 2

const parseHint = (form: Parameters): string | null => {
  const hints = ['login_hint', 'id_token_hint', 'login_hint_token'].filter(
    (name) => form.find(name) !== null,
  )
  if (hints.length !== 1 || hints[0] === 'login_hint_token') {
    throw invalidRequest('backchannel_hints', 'send one hint: login_hint or id_token_hint')
  }
  const hint = form.find('login_hint')
  const { hintCharacters: most } = backchannelLimits
  if (hint === null || hint.length <= most) return hint
  throw invalidRequest('login_hint_too_long', `login_hint is longer than ${most} characters`)
}

export const openPeople = (needs: { readonly store: Store; readonly subjects: Subjects }) => {
  const { store, subjects } = needs

  /** By the user name or a verified address, with the same reads whoever is meant. */
  const findNamed = async (hint: string): Promise<Owner | null> => {
    const [named, ids] = await Promise.all([
      store.findOwnerByName(hint),
      store.listOwnersOfEmail(hint, ownersOfAddress),
    ])
    const places = Array.from({ length: ownersOfAddress }, (_, place) => ids[place] ?? nobody)
    const addressed = await Promise.all(places.map((id) => store.findOwner(id)))
    return named ?? addressed.find((owner) => owner?.emailVerified === true) ?? null
  }

  /**
   * A pairwise subject leads to nobody by itself.
   *
   * @throws Refusal where the client has more owners than are looked at
   */
  const findSubject = async (subject: string, client: Client): Promise<Owner | null> => {
    if (!isPairwise(client)) return store.findOwner(subject as OwnerId)
    const { subjects: most } = backchannelLimits
    const ids = await store.listAuthorizers(client.id, most + 1)
    for (const id of ids.slice(0, most)) {
      if ((await getSub(client, id, needs)) === subject) return store.findOwner(id)
    }
    if (ids.length <= most) return null
    const said = `id_token_hint has a pairwise subject, which is none of the latest ${most} owners of the client: send login_hint`
    throw invalidRequest('subject_out_of_reach', said)
  }

  /** @param subject of the ID token, which was checked; null for another hint */
  return async (form: Parameters, subject: string | null, client: Client): Promise<FoundPerson> => {
    const name = parseHint(form)
    const found = await (name === null ? findSubject(subject ?? '', client) : findNamed(name))
    const written = name === null ? `subject ${subject}` : `name ${usernameKey(name)}`
    return {
      owner: found?.deletionAt === null ? found : null,
      hint: await subjects.hide('backchannel hint', written),
    }
  }
}
