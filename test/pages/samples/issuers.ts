/** Examples of the pages about trusted issuers. */
import { renderIssuers } from '../../../src/features/trusted-issuers/account-page.ts'
import {
  issuerList,
  issuerMemberForm,
  renderIssuer,
} from '../../../src/features/trusted-issuers/console-pages.ts'
import { describeIssuer } from '../../../src/features/trusted-issuers/issuer.ts'
import type { AuthorizationId, ClientId, OwnerId } from '../../../src/model/ids.ts'
import type { View } from '../../../src/paper/view.ts'
import { renderList } from '../../../src/rooms/console/list.ts'
import { formatTexts, renderMemberForm } from '../../../src/rooms/console/member-form.ts'
import { csrf, owner } from './values.ts'

export const issuerSamples = (view: View): Readonly<Record<string, string>> => {
  const given = { view, csrf, owner }
  const console = { ...given, role: 'operator' } as const
  const issuer = {
    id: 'acme',
    issuer: 'https://login.acme.example/a/rather/long/path/of/one/tenant',
    title: 'The Acme Corporation of Everything and More',
    keys: { jwks_uri: 'https://login.acme.example/keys' },
    owner: 'email',
    grants: ['jwt-bearer', 'id-jag'],
    scope: ['photos:read', 'contacts'],
    clients: ['photo-printer' as ClientId],
    revision: 0,
  } as const
  const access = {
    ownerId: 'alice' as OwnerId,
    clientId: 'photo-printer' as ClientId,
    issuerId: 'acme',
    authorizationId: '01k3abcdefghjkmnpqrstvwxyz' as AuthorizationId,
    offered: ['photos:read'],
    clientName: 'Photo Printer',
    title: issuer.title,
    hasEnded: true,
  } as const
  const other = { ...access, clientName: 'Notes', hasEnded: false }
  const whole = { filter: {}, next: null, isFirst: true }
  const texts = formatTexts(issuerMemberForm, issuer)
  const form = { on: issuer, texts, version: 'x', problem: null }
  return {
    'account-issuers': renderIssuers({ ...given, accesses: [access, other], notice: null }),
    'account-issuers-none': renderIssuers({ ...given, accesses: [], notice: null }),
    'console-issuers': renderList(issuerList, console, {
      ...whole,
      items: [describeIssuer(issuer)],
    }),
    'console-issuer': renderIssuer(console, issuer, null),
    'console-issuer-form': renderMemberForm(issuerMemberForm, console, form),
  }
}
