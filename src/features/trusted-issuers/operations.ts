/** Trusted issuers, as operators see and end them, and allow them again. */
import type { Exchange } from '../../http/exchange.ts'
import type { ClientId } from '../../model/ids.ts'
import { keySetWords } from '../../model/key-set.ts'
import { describePage, pageInMemory } from '../../operations/lists.ts'
import { defineRow, makeForm, pageOf, text, texts } from '../../operations/operation.ts'
import { type AdminNeeds, unknown } from '../../operations/operator.ts'
import { stateChanged } from '../../operations/seen.ts'
import { yes } from '../../operations/surface/cli.ts'
import { show } from '../../operations/surface/said.ts'
import { parseMembers } from '../../protocol/members.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { makeSchema, type Z } from '../../protocol/schema.ts'
import type { StoredIssuer } from './contract.ts'
import { finishEndedIssuers } from './ending.ts'
import { describeIssuer, grantKinds, ownerNames } from './issuer.ts'

/** The members in the order of a form. */
export const listIssuerMembers = (z: Z) => ({
  id: text(z),
  issuer: z.string().describe('the iss of its assertions'),
  title: z.string().describe('what pages call it'),
  jwks: z.record(z.string(), z.unknown()).nullish().describe(keySetWords),
  jwks_uri: z.string().nullish().describe('an https URL of such a set'),
  owner: z.enum(ownerNames).describe('how sub of an assertion names an owner'),
  grants: z.array(z.enum(grantKinds)).describe('the kinds of its assertions'),
  scope: z.string().describe('all that it may open, separated by spaces'),
  clients: texts(z).nullish().describe('the only clients that it is trusted for'),
})

export const issuerForm = makeForm('TrustedIssuer', (z) => z.strictObject(listIssuerMembers(z)))

export const oneIssuer = '/admin/api/issuers/:id'

/** @throws Refusal `not_found` */
export const findIssuer = async (
  { params }: Pick<Exchange, 'params'>,
  { store }: AdminNeeds,
): Promise<StoredIssuer> => {
  const issuer = await store.findTrustedIssuer(params.id ?? '')
  if (issuer === null) throw unknown('issuer')
  return issuer
}

export const listIssuers = defineRow({
  route: 'GET /admin/api/issuers',
  says: 'List the trusted issuers',
  commands: {
    usage: 'issuer list',
    does: 'list the trusted issuers',
    examples: ['latchkey issuer list'],
    list: { head: ['id', 'title', 'issuer', 'scope'], empty: 'There are no trusted issuers.' },
  },
  filters: {},
  answers: { 200: pageOf('TrustedIssuerPage', issuerForm.make) },
  async run({ query, limit }, { store }) {
    const all = await store.listTrustedIssuers()
    return describePage(
      pageInMemory(all, query, limit, ({ id }) => id),
      describeIssuer,
    )
  },
})

export const readIssuer = defineRow({
  route: `GET ${oneIssuer}`,
  says: 'Read a trusted issuer',
  commands: {
    usage: 'issuer show <id>',
    does: 'show a trusted issuer',
    examples: ['latchkey issuer show acme'],
  },
  answers: { 200: issuerForm },
  find: findIssuer,
  shows: describeIssuer,
  run: async ({ on }) => describeIssuer(on),
})

/** A call that was cut off is finished by the service. */
export const deleteIssuer = defineRow({
  route: `DELETE ${oneIssuer}`,
  says: 'Delete a trusted issuer; all access that it opened ends',
  commands: {
    usage: 'issuer delete <id>',
    does: 'trust an issuer no more, and end all access that it opened',
    examples: ['latchkey issuer delete acme --yes'],
    flags: [yes],
    confirm: ({ name }) => `${name} is trusted no more, and all access that it opened ends.`,
    json: ({ name }) => ({ deleted: name }),
    text: ({ name }) => `${name} is trusted no more. All access that it opened has ended.`,
  },
  answers: { 204: null },
  find: ({ params }, { store }) => store.findTrustedIssuer(params.id ?? ''),
  shows: (on) => (on === null ? {} : describeIssuer(on)),
  async run({ exchange: { params }, seen, trace }, { store }) {
    const ended = await store.endTrustedIssuer(params.id ?? '', trace(), seen?.revision)
    if (ended === 'changed_meanwhile') throw stateChanged()
    if (!ended) throw unknown('issuer')
    await finishEndedIssuers(store, trace)
    return null
  },
})

const allowForm = makeSchema((z) =>
  z.strictObject({
    username: z.string().describe('the username of an owner'),
    client_id: z.string().describe('the id of a client'),
  }),
)

/** What the owner or an operator ended may be opened again. */
export const allowIssuer = defineRow({
  route: `POST ${oneIssuer}/allow`,
  says: 'Let an issuer open again what was ended for an owner and a client',
  commands: {
    usage: 'issuer allow <id>',
    does: 'let an issuer open again what was ended for an owner and a client',
    examples: ['latchkey issuer allow acme --owner alice --client helper'],
    flags: [
      ['--owner <username>', 'the owner', 'needed'],
      ['--client <id>', 'the client', 'needed'],
    ],
    body: ({ owner, client }) => ({ username: owner, client_id: client }),
    json: ({ name }) => ({ allowed: name }),
    text: ({ name }) => `${show(name)} may open access for them again.`,
  },
  body: {
    form: makeForm('AllowedAgain', allowForm),
    example: { username: 'alice', client_id: 'photo-printer' },
  },
  answers: { 204: null },
  find: findIssuer,
  async run({ on, given, trace }, { store }) {
    const { username, client_id } = parseMembers(allowForm(), given, () => 'invalid_request')
    const owner = await store.findOwnerByName(username, 'disabled')
    const of = { clientId: client_id as ClientId, issuerId: on.id }
    const isAllowed =
      owner !== null && (await store.allowIssuerAgain({ ...of, ownerId: owner.id }, null, trace()))
    if (isAllowed) return null
    const said = 'nothing that this issuer opened for such an owner and client has ended'
    throw new Refusal('conflict', 'nothing_to_allow', said)
  },
})

export const issuerOperations = { listIssuers, readIssuer, deleteIssuer, allowIssuer }
