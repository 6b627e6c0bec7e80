/** Groups and roles for a person of an upstream: only those that the operator mapped. */
import type { UpstreamGroups } from '../config/upstream-groups.ts'

export interface MappedRights {
  readonly groups: readonly string[]
  readonly roles: readonly string[]
}

export const noRights: MappedRights = { groups: [], roles: [] }

/** Texts among the values. A single text is one value; anything else is none. */
const listTexts = (values: unknown): readonly string[] =>
  (Array.isArray(values) ? values : [values]).filter((one) => typeof one === 'string')

/** @param values of the claim or the attribute, whatever the upstream sent */
export const mapRights = (values: unknown, { map, roles }: UpstreamGroups): MappedRights => {
  const texts = listTexts(values)
  const pick = (names: UpstreamGroups['map']): readonly string[] =>
    [...new Set(texts.flatMap((text) => names.get(text) ?? []))].sort()
  return { groups: pick(map), roles: pick(roles) }
}
