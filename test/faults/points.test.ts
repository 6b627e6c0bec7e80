/** F-26: every call of the store that a request makes fails once in every way, and the promises hold. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CodeProvider, openCodeProvider } from '../support/code-provider.ts'
import { type DocumentSite, openDocumentSite } from '../support/document-site.ts'
import { upstreamsOf } from '../support/upstream.ts'
import { accountOperations } from './account-operations.ts'
import { apiOperations } from './api-operations.ts'
import { backchannelOperations } from './backchannel-operations.ts'
import { deviceOperations } from './device-operations.ts'
import { documentOperations } from './document-operations.ts'
import { exchangeOperations } from './exchange-operations.ts'
import { factorOperations } from './factor-operations.ts'
import type { Method } from './faulty-store.ts'
import { feedOperation } from './feed-operation.ts'
import { type Opened, openInMemory } from './folder.ts'
import { groupOperations } from './group-operations.ts'
import { issuerOperations } from './issuer-operations.ts'
import { keyOperation } from './key-operation.ts'
import { operatorOperation } from './operator-operation.ts'
import { pageOperations } from './page-operations.ts'
import { type Bench, openBench } from './points.ts'
import { profileOperations } from './profile-operations.ts'
import { resourceOperations } from './resource-operations.ts'
import { scimOperations } from './scim-operations.ts'
import { signalOperations } from './signal-operations.ts'
import { tokenOperations } from './token-operations.ts'
import { upstreamOperations } from './upstream-operations.ts'
import { wayOperations } from './way-operations.ts'

/** Methods that no request calls: start, end and housekeeping of a node, and properties. */
const unasked: readonly Method[] = [
  'recordRefusals',
  'notes',
  'machines',
  'isEmpty',
  'addKey',
  'removeKeys',
  'retireKey',
  'replaceKeys',
  'rewrapKeys',
  'listOneTimeCodes',
  'rewrapOneTimeCodes',
  'listClientSecrets',
  'rewrapClientSecrets',
  'rewrapSignalCredentials',
  'findFact',
  'setFact',
  'noteTime',
  'findUnsureUntil',
  'latestTime',
  'gauges',
  'addCounts',
  'queueWebhookEvents',
  'claimWebhookDeliveries',
  'finishWebhookDelivery',
  'postponeWebhookDelivery',
  'listWebhookQueues',
  'listCommittedEvents',
  'findLastSeal',
  'findSealOf',
  'listSeals',
  'listStoredEvents',
  'listStoredEventsOf',
  'listLateEvents',
  'addSeal',
  'isDeletedOwner',
  'listWaysOfOthers',
  'listCounts',
  'listDailySums',
  'listSignalFacts',
  'purge',
  'listDueRegistrations',
  'removeIdleClient',
  'postponeRegistration',
  'listUnusedAuthorizations',
  'keepClientLogo',
  'keepUpstreamPicture',
  'listDueMails',
  'findMailQueue',
  'claimMail',
  'removeMail',
  'listOwnersOfEmail',
  'listOwners',
  'listOwnersBy',
  'importOwner',
  'noteOwnerWords',
  'noteClientWords',
  'listClientsBy',
  'listDueOwners',
  'deleteDueOwner',
  'removeDeleted',
  'finishLogoutNotice',
  'postponeLogoutNotice',
  'claimBackchannelPings',
  'postponeBackchannelPing',
  'close',
  'readsWait',
  'isAlone',
  'claimDirectoryCheck',
  'listLinkedPeople',
  'disableLeaver',
  'enableReturner',
  'noteDirectoryCheck',
]

/** Methods of settings that this service has none of: clients for some groups, upstreams with a map, directories, a console. */
const ofOtherSettings: readonly Method[] = [
  'isClientFor',
  'linkByAddress',
  'setUpstreamRoles',
  'countWaitingOwners',
  'listDirectoryChecks',
  'findDisabler',
  'isKeepingOwners',
  'isKeptOwner',
]

describe('F-26: a fault at every call of the store', () => {
  let opened: Opened
  let bench: Bench
  let host: DocumentSite
  let provider: CodeProvider
  before(async () => {
    opened = await openInMemory()
    provider = await openCodeProvider()
    bench = await openBench(
      opened.store,
      upstreamsOf([{ ...provider.upstream, trust_email: true }]),
    )
    host = await openDocumentSite()
  })
  after(async () => {
    await host.site.close()
    await provider.close()
    await opened.dispose()
  })

  for (const operation of [
    ...tokenOperations,
    ...deviceOperations,
    ...exchangeOperations,
    ...pageOperations,
    ...factorOperations,
    ...accountOperations,
    ...apiOperations,
    ...resourceOperations,
    ...issuerOperations,
    ...signalOperations,
    ...scimOperations,
  ]) {
    test(operation.name, () => bench.enumerate(operation))
  }

  test('see new and changed metadata documents', async () => {
    for (const operation of documentOperations(host, bench.pass)) await bench.enumerate(operation)
  })

  test('open links, and ask for them', async () => {
    for (const operation of wayOperations(bench.pass)) await bench.enumerate(operation)
  })

  test('change profiles, accounts and imported passwords', async () => {
    for (const operation of profileOperations(opened.store, bench.pass)) {
      await bench.enumerate(operation)
    }
  })

  test('link accounts, and log in with them', async () => {
    for (const operation of upstreamOperations(provider, opened.store)) {
      await bench.enumerate(operation)
    }
  })

  test('make groups, link people, and end waits', async () => {
    for (const operation of groupOperations(String(provider.upstream.id))) {
      await bench.enumerate(operation)
    }
  })

  test('ask owners who are elsewhere', async () => {
    for (const operation of backchannelOperations) await bench.enumerate(operation)
  })

  test('take the code of the operator', () => {
    const at = Date.UTC(2026, 10, 21, 12) / 1000
    return bench.enumerate(operatorOperation(opened.store, at))
  })

  test('sign with a key that is kept for longer', () => bench.enumerate(keyOperation(bench.pass)))

  test('poll for revocations', () => bench.enumerate(feedOperation))

  test('has reached every method that a request can reach', (t) => {
    t.diagnostic(`${bench.points.length} points, ${bench.methods.size} methods`)
    const all = Object.keys(opened.store) as Method[]
    const others = [...unasked, ...ofOtherSettings]
    const missing = all.filter((name) => !bench.methods.has(name) && !others.includes(name))
    assert.deepEqual(missing, [])
  })
})
