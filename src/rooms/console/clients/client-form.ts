/** `/admin/new-client` and `/admin/clients/{client_id}/edit`: creating and changing an application, with every member that the admin API knows. */
import { describeForOperator } from '../../../clients/describe.ts'
import { listGrants } from '../../../clients/grant-types.ts'
import { featureMembers } from '../../../features/members.ts'
import type { Client } from '../../../model/client.ts'
import { jwsAlgorithms } from '../../../model/key.ts'
import { changeClient, createClient } from '../../../operations/client-changes.ts'
import { readClient } from '../../../operations/clients.ts'
import { sayName } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import type { RouteRow } from '../../../route.ts'
import { type FormMember, makeMembers } from '../member.ts'
import { type MemberForm, openMemberForm } from '../member-form.ts'
import type { Console, ConsoleNeeds } from '../visit.ts'
import { renderKinds } from './kinds/page.ts'
import { showNewSecret } from './new-secret.ts'
import { consoleClientsWords } from './words.ts'

const listNames = (text: string): readonly string[] => text.split(/\s+/)

/** The members that an operator sets, by their place in the form. */
const groups = {
  main: listNames(`client_name redirect_uris grant_types response_types token_endpoint_auth_method
    scope required_scope required_scope_reason authorization_details_types`),
  rights: listNames(`access_token_seconds refresh_token_seconds trusted may_introspect disabled
    pinned profile accept_token_endpoint_audience federated_credentials may_act
    allowed_groups told_groups`),
  about: listNames(`client_uri logo_uri tos_uri policy_uri contacts initiate_login_uri
    introspection_signed_response_alg software_id software_version application_type`),
  openid: [
    ...listNames(`id_token_signed_response_alg subject_type sector_identifier_uri
    default_max_age require_auth_time default_acr_values post_logout_redirect_uris
    backchannel_logout_uri backchannel_logout_session_required frontchannel_logout_uri
    frontchannel_logout_session_required`),
    ...Object.keys(featureMembers),
  ],
  keys: listNames(`token_endpoint_auth_signing_alg jwks jwks_uri dpop_bound_access_tokens
    tls_client_certificate_bound_access_tokens tls_client_auth_subject_dn tls_client_auth_san_dns
    tls_client_auth_san_uri tls_client_auth_san_ip tls_client_auth_san_email request_uris
    request_object_signing_alg
    require_signed_request_object require_pushed_authorization_requests
    authorization_signed_response_alg authorization_encrypted_response_alg
    authorization_encrypted_response_enc id_token_encrypted_response_alg id_token_encrypted_response_enc
    userinfo_signed_response_alg userinfo_encrypted_response_alg
    userinfo_encrypted_response_enc`),
}

type ClientGroup = keyof typeof groups

const known = makeMembers([createClient, changeClient], 'access_token_seconds')
const listMembers = (names: readonly string[]): readonly FormMember[] =>
  names.flatMap((name) => known()[name] ?? [])

/** Names to choose from, by the field. */
type Choices = Readonly<Record<string, readonly string[]>>

export const makeClientForm = (choices: Choices): MemberForm<Client> => ({
  newPath: '/admin/new-client',
  read: readClient,
  create: createClient,
  change: changeClient,
  members: () => listMembers(['client_id', ...Object.values(groups).flat()]),
  separator: '\n',
  around: renderKinds,
  hides: (client) => [
    ...(client === null ? [] : ['client_id']),
    ...(client?.document === undefined ? ['pinned'] : []),
  ],
  describe: describeForOperator,
  answer: showNewSecret,
  says({ view }, client) {
    const words = consoleClientsWords(view.language)
    return client === null
      ? {
          heading: words.newHeading,
          title: words.newHeading,
          back: words.heading,
          submit: words.createNow,
        }
      : {
          heading: words.changeHeading({ client: sayName(client.name) }),
          title: client.name,
          back: sayName(client.name),
          submit: words.save,
        }
  },
  fields({ view }, { on, problem, members: all }, renderField) {
    const words = consoleClientsWords(view.language)
    // The words of the admin API are English.
    const field = (member: FormMember): Markup => {
      const { name, kind, about } = member
      const also =
        kind === 'lines' ? words.oneOnEachLine : kind === 'unlimited' ? words.orUnlimited : ''
      const text = choices[name]?.join(', ') ?? about
      const hint = html`<span lang="en" dir="ltr">${text}</span>${also === '' ? null : ` · ${also}`}`
      return renderField(member, hint)
    }
    const id = all
      .filter(({ name }) => name === 'client_id')
      .map((member) => renderField(member, words.chosenId))
    const group = (name: ClientGroup): Markup => {
      const members = all.filter((member) => groups[name].includes(member.name))
      const fields = members.map(field)
      const heading = words.groups[name]
      if (name === 'main') return html`<section class="card"><h2>${heading}</h2>${fields}</section>`
      const isOpen = members.some((member) => problem?.field === member.name)
      return html`<details class="card"${isOpen ? html` open` : null}><summary>${heading}</summary>${fields}</details>`
    }
    return html`${on === null ? html`<section class="card">${id}<p class="quiet small">${words.emptyFields}</p></section>` : null}
${(Object.keys(groups) as ClientGroup[]).map(group)}`
  },
})

export const openClientForm = (needs: ConsoleNeeds, entry: Console): readonly RouteRow[] => {
  const { registries, resources } = needs
  const choices: Choices = {
    grant_types: listGrants(registries),
    response_types: registries.responseTypes.map(({ type }) => type),
    token_endpoint_auth_method: registries.clientMethods.map(({ name }) => name),
    get scope() {
      return resources.list().map(({ name }) => name)
    },
    get authorization_details_types() {
      return resources.list().map(({ name }) => name)
    },
    application_type: ['web', 'native'],
    id_token_signed_response_alg: jwsAlgorithms,
  }
  return openMemberForm(makeClientForm(choices), entry)
}
