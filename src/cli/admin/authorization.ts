/** `latchkey authorization ...`: what owners approved. */
import { type AdminApi, ApiFault, pathTo } from '../api.ts'
import { type JsonRow, saidMembers, saidRows, shown } from '../said.ts'
import type { ApiWork } from '../tree.ts'
import { findOwner } from './owner.ts'

const ask = (
  api: AdminApi,
  method: 'GET' | 'PATCH' | 'DELETE',
  id: string,
  body?: object,
): Promise<JsonRow> =>
  api.ask(method, pathTo('authorizations', id), body).catch((fault: unknown) => {
    if (fault instanceof ApiFault && fault.title === 'not_found') {
      throw new ApiFault(`there is no authorization ${id}`, fault.status, fault.title)
    }
    throw fault
  })

const textOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : String(value)

export const listAuthorizations: ApiWork = async (api, { owner, client, state, limit }) => {
  const ownerId = owner === undefined ? undefined : shown((await findOwner(api, String(owner))).id)
  const query = { owner: ownerId, client: textOf(client), state: textOf(state) }
  const rows = await api.list(
    'authorizations',
    query,
    limit === undefined ? undefined : Number(limit),
  )
  const columns = ['id', 'username', 'client_id', 'scope', 'duration', 'paused']
  return saidRows(rows, columns, 'There are no authorizations.')
}

export const showAuthorization: ApiWork = async (api, _flags, [id = '']) =>
  saidMembers(await ask(api, 'GET', id))

export const endAuthorization: ApiWork = async (api, _flags, [id = '']) => {
  await ask(api, 'DELETE', id)
  return { json: { ended: id }, text: `${id} has ended, with all of its codes and tokens.` }
}

export const narrowAuthorization: ApiWork = async (api, { keep }, [id = '']) =>
  saidMembers(await ask(api, 'PATCH', id, { permissions: keep }))

export const setPaused =
  (paused: boolean): ApiWork =>
  async (api, _flags, [id = '']) =>
    saidMembers(await ask(api, 'PATCH', id, { paused }))
