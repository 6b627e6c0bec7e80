/** The store contract: every store passes these tests, whatever it keeps its rows in. */
import { after, before, describe } from 'node:test'
import type { Store } from '../../src/store/store.ts'
import { accountContract } from './contract/accounts.ts'
import { attemptContract } from './contract/attempts.ts'
import { authorizationContract } from './contract/authorizations.ts'
import { backchannelContract } from './contract/backchannel.ts'
import { clientDocumentContract } from './contract/client-documents.ts'
import { clientContract } from './contract/clients.ts'
import { committedEventContract } from './contract/committed-events.ts'
import { countContract } from './contract/counts.ts'
import { credentialContract } from './contract/credentials.ts'
import { delegationContract, delegationHousekeepingContract } from './contract/delegations.ts'
import { detailContract } from './contract/details.ts'
import { deviceContract } from './contract/devices.ts'
import { endContract } from './contract/ends.ts'
import { factorContract } from './contract/factors.ts'
import { factContract } from './contract/facts.ts'
import { familyContract } from './contract/families.ts'
import { grantContract } from './contract/grants.ts'
import { groupContract } from './contract/groups.ts'
import { housekeepingContract } from './contract/housekeeping.ts'
import { importedContract } from './contract/imported.ts'
import { eventContract, itemContract } from './contract/items.ts'
import { keyContract } from './contract/keys.ts'
import { leaverContract } from './contract/leavers.ts'
import { linkContract } from './contract/links.ts'
import { logoutContract } from './contract/logouts.ts'
import { mailContract } from './contract/mails.ts'
import { modelContract } from './contract/model.ts'
import { ownerContract } from './contract/owners.ts'
import { pauseContract } from './contract/pauses.ts'
import { pictureContract } from './contract/pictures.ts'
import { raceContract } from './contract/races.ts'
import { raisedContract } from './contract/raised.ts'
import { refusalContract } from './contract/refusals.ts'
import { registrationContract } from './contract/registrations.ts'
import { removalContract } from './contract/removals.ts'
import { resourceContract } from './contract/resources.ts'
import { revocationContract } from './contract/revocations.ts'
import { scimContract } from './contract/scim.ts'
import { eventSearchContract, searchContract } from './contract/search.ts'
import { sessionContract } from './contract/sessions.ts'
import { settledContract } from './contract/settled.ts'
import { signalContract } from './contract/signals.ts'
import { issuerContract } from './contract/trusted-issuers.ts'
import { upstreamContract } from './contract/upstreams.ts'
import { useContract, useHousekeepingContract } from './contract/uses.ts'
import { webhookContract } from './contract/webhooks.ts'

export interface Opened {
  readonly store: Store
  /** Closes the store and opens the same one again. */
  readonly reopen: () => Promise<Store>
  /** Closes the store and removes all that it kept. */
  readonly dispose: () => Promise<void>
}

/** Opens a new, empty store. */
export type Open = () => Promise<Opened>

export const storeContract = (name: string, open: Open): void => {
  describe(`${name}: records and steps`, () => {
    let opened: Opened
    before(async () => {
      opened = await open()
    })
    after(() => opened.dispose())
    const store = () => opened.store
    clientContract(store)
    clientDocumentContract(store)
    credentialContract(store)
    ownerContract(store)
    raisedContract(store)
    groupContract(store)
    scimContract(store)
    leaverContract(store)
    searchContract(store)
    sessionContract(store)
    accountContract(store)
    pictureContract(store)
    logoutContract(store)
    attemptContract(store)
    factorContract(store)
    importedContract(store)
    upstreamContract(store)
    linkContract(store)
    mailContract(store)
    factContract(store)
    authorizationContract(store)
    grantContract(store)
    detailContract(store)
    endContract(store)
    pauseContract(store)
    delegationContract(store)
    settledContract(store)
    issuerContract(store)
    useContract(store)
    familyContract(store)
    deviceContract(store)
    backchannelContract(store)
    itemContract(store)
    keyContract(store)
    revocationContract(store)
    resourceContract(store)
    eventContract(store)
    eventSearchContract(store)
    refusalContract(store)
    raceContract(store)
    modelContract(store)
    // Late, since it purges by a time far ahead of the others.
    countContract(store)
    webhookContract(store)
    signalContract(store)
    committedEventContract(store)
  })

  describe(`${name}: restarts and housekeeping`, () => {
    housekeepingContract(open)
    delegationHousekeepingContract(open)
    useHousekeepingContract(open)
    registrationContract(open)
    removalContract(open)
  })
}
