/** Creating and changing a trusted issuer. */
import { listGrantable } from '../../access/permission.ts'
import { selectNamed } from '../../access/scope.ts'
import { MemberFault, readMembers } from '../../config/members.ts'
import { makeId } from '../../model/ids.ts'
import { defineRow, makeForm } from '../../operations/operation.ts'
import { type AdminNeeds, unknown } from '../../operations/operator.ts'
import { stateChanged } from '../../operations/seen.ts'
import { type CommandFlag, parseObject, pickGivenMembers } from '../../operations/surface/cli.ts'
import type { JsonRow } from '../../operations/surface/said.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { IssuerChange } from './contract.ts'
import { finishEndedIssuers } from './ending.ts'
import { describeIssuer, readTrustedIssuer, type TrustedIssuer } from './issuer.ts'
import { issuerLimits } from './limits.ts'
import { findIssuer, issuerForm, listIssuerMembers, oneIssuer } from './operations.ts'

const issuerFlags: readonly CommandFlag[] = [
  ['--iss <url>', 'the iss of its assertions'],
  ['--title <words>', 'what pages call it, such as Acme'],
  ['--jwks-uri <url>', 'where its public keys are'],
  ['--jwks <json>', 'or its public keys, as a JWK set'],
  ['--owner <name>', 'how sub names an owner: username, email or sub'],
  ['--grant <kind...>', 'the kinds of its assertions: jwt-bearer, id-jag'],
  ['--scope <name...>', 'all that it may open'],
  ['--client <id...>', "the only clients that it is trusted for ('' = any)"],
]

const joinWords = (value: unknown): unknown => (Array.isArray(value) ? value.join(' ') : undefined)

/** Keys of one form take the place of keys of the other. */
const readKeyFlags = ({ jwks, jwksUri }: JsonRow): JsonRow => ({
  ...(jwks === undefined ? {} : { jwks: parseObject(jwks, '--jwks'), jwks_uri: null }),
  ...(jwksUri === undefined ? {} : { jwks_uri: jwksUri, jwks: null }),
})

/** An empty `--client` takes the limit away. */
const readClients = ({ client }: JsonRow): unknown =>
  Array.isArray(client) && client.join('') === '' ? null : client

const readFlags = (flags: JsonRow): JsonRow =>
  pickGivenMembers({
    issuer: flags.iss,
    title: flags.title,
    ...readKeyFlags(flags),
    owner: flags.owner,
    grants: flags.grant,
    scope: joinWords(flags.scope),
    clients: readClients(flags),
  })

const parseGiven = (given: JsonRow): TrustedIssuer => {
  try {
    return readMembers(given, '', readTrustedIssuer)
  } catch (fault) {
    if (!(fault instanceof MemberFault)) throw fault
    throw new Refusal('invalid_request', 'malformed_issuer', `the issuer ${fault.message}`)
  }
}

/** @throws Refusal for a name that is nothing here */
const checkScope = async (
  { scope }: TrustedIssuer,
  { resources }: Pick<AdminNeeds, 'resources'>,
): Promise<void> => {
  await resources.learnScope(scope.join(' '))
  const known = listGrantable(resources)
  if (scope.every((name) => selectNamed([name], known).length > 0)) return
  const said = 'scope of the issuer has to name what owners can give, such as photos:read'
  throw new Refusal('invalid_request', 'issuer_scope', said, { status: 422 })
}

const conflicts = {
  id_taken: ['issuer_id_taken', 'there is an issuer with this id'],
  issuer_taken: ['issuer_issuer_taken', 'another issuer has this iss'],
  too_many: ['issuer_too_many', `there may be ${issuerLimits.issuers} issuers`],
} as const

const conflict = (outcome: keyof typeof conflicts): Refusal => {
  const [reason, said] = conflicts[outcome]
  return new Refusal('conflict', reason, said)
}

const exampleKey = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
}

/** An issuer without an `id` gets one. */
export const createIssuer = defineRow({
  route: 'POST /admin/api/issuers',
  says: 'Trust an issuer: its JWTs open access for owners',
  commands: {
    usage: 'issuer add <id>',
    does: 'trust an issuer: its JWTs open access for owners',
    examples: [
      'latchkey issuer add acme --iss https://login.acme.example --title Acme --jwks-uri https://login.acme.example/keys --owner email --grant id-jag --scope photos:read',
    ],
    flags: issuerFlags,
    body: (flags, [id]) => ({ ...readFlags(flags), id }),
  },
  body: {
    form: makeForm('NewTrustedIssuer', (z) => {
      const { id, ...members } = listIssuerMembers(z)
      return z.strictObject({ id: id.optional(), ...members })
    }),
    example: {
      id: 'acme',
      issuer: 'https://login.acme.example',
      title: 'Acme',
      jwks: { keys: [exampleKey] },
      owner: 'email',
      grants: ['id-jag'],
      scope: 'photos:read',
    },
  },
  answers: { 201: issuerForm },
  madeAs: 'id',
  async run({ given, trace }, parts) {
    const issuer = parseGiven({ id: `issuer-${makeId(parts)}`, ...given })
    await checkScope(issuer, parts)
    await finishEndedIssuers(parts.store, trace)
    const { issuers: most } = issuerLimits
    const outcome = await parts.store.createTrustedIssuer(issuer, most, trace(), true)
    if (outcome !== 'created') throw conflict(outcome)
    return describeIssuer(issuer)
  },
})

/** The members of the record that stand for members of the body. */
const pickChange = (after: TrustedIssuer, given: JsonRow): IssuerChange => {
  const isNamed = (...names: readonly string[]) => names.some((name) => name in given)
  const { id: _, keys, ...members } = after
  const named = Object.entries(members).filter(([name]) => isNamed(name))
  return { ...Object.fromEntries(named), ...(isNamed('jwks', 'jwks_uri') ? { keys } : {}) }
}

/** Holds for assertions from then on. Access that was opened stays as it is. */
export const changeIssuer = defineRow({
  route: `PATCH ${oneIssuer}`,
  says: 'Change the members of a trusted issuer that the body has',
  commands: {
    usage: 'issuer change <id>',
    does: 'change what the flags name; opened access stays as it is',
    examples: ['latchkey issuer change acme --scope photos:read contacts:read'],
    flags: issuerFlags,
    body: readFlags,
  },
  body: {
    form: makeForm('TrustedIssuerChange', (z) => z.strictObject(listIssuerMembers(z)).partial()),
    example: { title: 'Acme Corporation' },
  },
  answers: { 200: issuerForm },
  find: findIssuer,
  shows: describeIssuer,
  async run({ on, seen, given, trace }, parts) {
    if (given.id !== undefined && given.id !== on.id) {
      throw new Refusal('invalid_request', 'issuer_renamed', 'the id of an issuer stays')
    }
    const after = parseGiven({ ...describeIssuer(on), ...given })
    // A resource of the stored scope may be gone by now.
    if ('scope' in given) await checkScope(after, parts)
    const change = pickChange(after, given)
    if (Object.keys(change).length === 0) return describeIssuer(on)
    const changed = await parts.store.changeTrustedIssuer(on.id, change, trace(), seen?.revision)
    if (changed === 'issuer_taken') throw conflict(changed)
    if (changed === 'changed_meanwhile') throw stateChanged()
    if (changed === null) throw unknown('issuer')
    return describeIssuer(changed)
  },
})

export const issuerChangeOperations = { createIssuer, changeIssuer }
