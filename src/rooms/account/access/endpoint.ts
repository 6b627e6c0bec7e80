/** `GET /account/access/{authorization id}`: the page of one application. */
import { type AuthorizationId, isId } from '../../../model/ids.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import { forOwner } from '../../former.ts'
import { answerSeeOther } from '../../visit.ts'
import { showAccess } from './show.ts'

/** An ended one has its access log instead. */
export const showAccessPage = forOwner(async (visit, parts) => {
  const { id = '' } = visit.params
  await parts.uses.catchUp()
  const find = async (ended: { readonly ended?: true }) => {
    const of = { ownerId: visit.login.owner.id, id: id as AuthorizationId, ...ended }
    return isId(id) ? (await parts.store.listAuthorizations(of, null, 1, visit.at)).rows[0] : null
  }
  const living = await find({})
  if (living) return showAccess(visit, living, null, parts)
  if (await find({ ended: true })) {
    return answerSeeOther(visit, '/account/ledger', { authorization: id })
  }
  throw new Refusal('not_found', 'unknown_authorization', 'there is no such authorization')
})
