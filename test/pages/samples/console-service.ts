/** Examples of the pages of the console about the service. */
import { loadSettings } from '../../../src/config/load.ts'
import type { View } from '../../../src/paper/view.ts'
import { renderTrial, renderTrialResult } from '../../../src/rooms/console/clients/trial.ts'
import { renderList } from '../../../src/rooms/console/list.ts'
import { formatTexts, renderMemberForm } from '../../../src/rooms/console/member-form.ts'
import { keyList } from '../../../src/rooms/console/service/keys.ts'
import {
  renderResource,
  resourceForm,
  resourceList,
} from '../../../src/rooms/console/service/resources.ts'
import {
  describeLimits,
  describeSettings,
  renderSettings,
} from '../../../src/rooms/console/service/settings.ts'
import { renderUpstreams } from '../../../src/rooms/console/service/upstreams.ts'
import { sampleClient, sampleResource } from '../../store/sample.ts'
import { csrf, now, owner } from './values.ts'

const env = {
  LATCHKEY_DEMO: '0',
  LATCHKEY_HOSTS: 'auth.internal.example, another-name-of-this-service.internal.example',
  LATCHKEY_LIMIT_KEEP_ALIVE_SECONDS: '90',
}

export const consoleServiceSamples = (view: View): Readonly<Record<string, string>> => {
  const given = { view, csrf, owner, role: 'operator' } as const
  const settings = loadSettings({ env, flags: {}, cwd: import.meta.dirname })
  const key = { id: '01m7yzpgz8abcdef', created_at: now - 9_000_000, usable_from: now }
  const keys = [
    { ...key, use: 'sealing', algorithm: 'HS256', state: 'sealing' } as const,
    { ...key, use: 'signing', algorithm: 'RS256', state: 'old' } as const,
    { ...key, use: 'signing', algorithm: 'EdDSA', state: 'next' } as const,
  ]
  const whole = { filter: {}, next: null, isFirst: true }
  const upstream = {
    settings: {
      id: 'work',
      title: { en: 'Work' },
      type: 'oidc',
      issuer: 'https://login.work.example/a/rather/long/path/of/one/tenant',
      clientId: 'us',
      clientSecret: null,
      scope: 'openid profile email',
      trustEmail: true,
      username: 'suffix',
      link: 'owner',
      groups: null,
      signUp: false,
      trustAcr: false,
      asksAgain: true,
    },
  } as const
  const fails = { id: 'work', is: 'fails', kind: 'wrong', detail: 'metadata: issuer' } as const
  const resource = sampleResource({ uri: 'https://api.orders.example/v1' })
  const client = sampleClient({ name: 'Photo Printer' })
  const answer = { token_type: 'Bearer', scope: 'photos:read openid', expires_in: 60 }
  const claims = { iss: 'https://login.example', sub: 'someone', nonce: 'x'.repeat(90) }
  const texts = formatTexts(resourceForm, resource)
  const form = { on: resource, texts, version: 'x', problem: null }
  return {
    'console-settings': renderSettings(given, describeSettings(settings), describeLimits(settings)),
    'console-keys': renderList(keyList, given, { ...whole, items: keys }),
    'console-keys-auditor': renderList(
      keyList,
      { ...given, role: 'auditor' },
      { ...whole, items: keys },
    ),
    'console-upstreams': renderUpstreams(given, [upstream], fails),
    'console-upstreams-none': renderUpstreams(given, [], null),
    'console-resources': renderList(resourceList, given, { ...whole, items: [resource] }),
    'console-resource': renderResource(given, resource, null),
    'console-resource-form': renderMemberForm(resourceForm, given, form),
    'console-trial': renderTrial(given, client, 'https://login.example/admin/trial'),
    'console-trial-worked': renderTrialResult(given, { is: 'worked', answer, claims }),
    'console-trial-failed': renderTrialResult(given, {
      is: 'failed',
      error: 'access_denied',
      description: 'the owner denied the request',
    }),
  }
}
