/** An operator links an owner to an account at an upstream: in companies, people do not do that themselves. */
import type { UpstreamSettings } from '../config/upstreams.ts'
import type { NewUpstreamLink } from '../model/factor.ts'
import { parseMembers } from '../protocol/members.ts'
import { Refusal } from '../protocol/refusal.ts'
import { makeSchema } from '../protocol/schema.ts'
import { upstreamLimits } from '../upstreams/limits.ts'
import { checkSameRoles, findChangeable } from './named-owner.ts'
import { defineRow, makeForm, mapAnswer, seconds, text } from './operation.ts'
import { show } from './surface/said.ts'

/** As the upstream itself names its accounts. */
const getIssuer = (settings: UpstreamSettings): string => {
  switch (settings.type) {
    case 'oidc':
      return settings.issuer
    case 'oauth2':
      return settings.issuer ?? settings.userinfoEndpoint
    case 'ldap':
      return settings.baseDn
  }
}

const linkForm = makeSchema((z) =>
  z.strictObject({
    upstream: z.string().describe('the id of an upstream in the settings'),
    subject: z
      .string()
      .min(1)
      .max(upstreamLimits.subjectCharacters)
      .regex(/^[\x21-\x7e]+$/)
      .describe('the id of the account there, such as its sub or entryUUID'),
  }),
)

const linkAnswer = mapAnswer<NewUpstreamLink>({
  upstream: [text, 'upstream'],
  subject: [text, 'subject'],
  created_at: [seconds, 'createdAt'],
})

const refusals = {
  taken: ['account_linked', 'an owner is linked to this account'],
  full: ['owner_linked', 'the owner is linked to another account of this upstream'],
} as const

const linkOwner = defineRow({
  route: 'POST /admin/api/owners/:id/upstreams',
  says: 'Link an owner to an account at an upstream, which logs the owner in from then on',
  commands: {
    usage: 'owner link <username>',
    does: 'link an owner to an account at an upstream, which logs the owner in from then on',
    examples: ['latchkey owner link alice --upstream company --subject 699995'],
    flags: [
      ['--upstream <id>', 'the upstream', 'needed'],
      ['--subject <id>', 'the id of the account there', 'needed'],
    ],
    body: ({ upstream, subject }) => ({ upstream, subject }),
    text: ({ found: { username }, json: { upstream } }) =>
      `${show(username)} is linked to the account at ${show(upstream)}.`,
  },
  body: {
    form: makeForm('NewUpstreamLink', linkForm),
    example: { upstream: 'company', subject: '699995' },
  },
  answers: { 201: makeForm('UpstreamLink', (z) => z.strictObject(linkAnswer.shape(z))) },
  find: findChangeable,
  async run({ on: owner, given, trace: makeTrace }, parts) {
    const { upstream, subject } = parseMembers(linkForm(), given, () => 'invalid_request')
    const settings = parts.settings.upstreams.find(({ id }) => id === upstream)
    if (settings === undefined) {
      const said = 'upstream has to be the id of one in the settings'
      throw new Refusal('invalid_request', 'unknown_upstream_id', said, { status: 422 })
    }
    const trace = makeTrace()
    const link: NewUpstreamLink = {
      ...{ upstream, issuer: getIssuer(settings), subject, ownerId: owner.id },
      ...{ label: subject.slice(0, 200), createdAt: trace.at, lastUsedAt: null },
    }
    const outcome = await parts.store.linkByOperator(link, owner.roles, trace)
    if (outcome === 'linked') return linkAnswer.describe(link)
    if (outcome === 'refused') {
      await checkSameRoles(owner, parts)
      throw new Refusal('conflict', 'rights_changed', 'somebody else changed the owner')
    }
    const [reason, said] = refusals[outcome]
    throw new Refusal('conflict', reason, said)
  },
})

export const ownerLinkOperations = { linkOwner }
