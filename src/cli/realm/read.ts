/** Reads a realm export of Keycloak. The file is foreign: each member is looked at before it is used. */
import { UsageFault } from '../../config/remote.ts'
import { isGroupName } from '../../model/group.ts'
import { decodeUtf8, isObject, parseJson } from '../../model/json.ts'
import type { JsonRow } from '../../operations/surface/said.ts'
import { cliLimits } from '../limits.ts'
import { readLimitedFile } from '../read-file.ts'
import type { Left } from './left.ts'

export const listObjects = (given: unknown): readonly JsonRow[] =>
  Array.isArray(given) ? given.filter(isObject) : []

export const listTexts = (given: unknown): readonly string[] =>
  Array.isArray(given) ? given.filter((one) => typeof one === 'string') : []

export const readText = (given: unknown): string => (typeof given === 'string' ? given : '')

/** @throws UsageFault */
export const readRealm = async (path: string): Promise<JsonRow> => {
  const realm = parseJson(decodeUtf8(await readLimitedFile(path, cliLimits.realmBytes)) ?? '')
  if (isObject(realm) && typeof realm.realm === 'string') return realm
  throw new UsageFault(`${path} has to be a realm export of Keycloak: a JSON object with "realm"`)
}

/** Deeper ones are left. */
const depth = 20

/** A path such as `/staff/sales` as the name of a group here. */
export const makeGroupName = (path: string): string =>
  path.replace(/^\//, '').normalize('NFC').trim()

/** Groups lie in one level here, so a group within another one is called `staff/sales`. */
export const listGroupNames = (realm: JsonRow, left: Left): readonly string[] => {
  const names: string[] = []
  const walk = (given: unknown, above: string, level: number): void => {
    for (const { name, subGroups, realmRoles, clientRoles } of listObjects(given)) {
      const full = makeGroupName(`${above}${readText(name)}`)
      if (!isGroupName(full) || full === '' || level > depth) {
        left.add('groups: no such name is possible here', full)
        continue
      }
      names.push(full)
      if (listTexts(realmRoles).length > 0 || isObject(clientRoles)) {
        left.add('roles of groups', full)
      }
      walk(subGroups, `${full}/`, level + 1)
    }
  }
  walk(realm.groups, '', 1)
  return [...new Set(names)]
}

const listNames = (given: unknown, member: string): readonly string[] =>
  listObjects(given).map((one) => readText(one[member]))

/** Parts of a realm that nothing here takes. */
export const tellOtherParts = (realm: JsonRow, left: Left): void => {
  const { roles, identityProviders, authenticationFlows: flows, components } = realm
  const { realm: ofRealm, client: ofClients } = isObject(roles) ? roles : {}
  for (const name of listNames(ofRealm, 'name')) left.add('roles', name)
  for (const [client, some] of Object.entries(isObject(ofClients) ? ofClients : {})) {
    for (const name of listNames(some, 'name')) left.add('roles of clients', `${client}: ${name}`)
  }
  for (const name of listNames(identityProviders, 'alias')) {
    left.add('identity providers: the setting upstreams has them here', name)
  }
  for (const { alias, builtIn } of listObjects(flows)) {
    if (builtIn !== true) left.add('authentication flows', readText(alias))
  }
  const { 'org.keycloak.storage.UserStorageProvider': stores } = isObject(components)
    ? components
    : {}
  for (const name of listNames(stores, 'name')) {
    left.add('directories: the setting upstreams has them here', name)
  }
  if (isObject(realm.smtpServer) && Object.keys(realm.smtpServer).length > 0) {
    left.add('the mail server: the setting LATCHKEY_SMTP has it here', readText(realm.realm))
  }
}
