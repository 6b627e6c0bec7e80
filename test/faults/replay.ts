/** Looks at everything again that a history says was acknowledged, and names each promise that was broken. */
import { defaultLimits } from '../../src/config/settable-limits.ts'
import { bearer, operatorOf } from '../flows/operator.ts'
import type { Reachable } from '../support/browser.ts'
import { houseApp, photoPrinter } from '../support/demo-clients.ts'
import { password } from '../support/people.ts'
import { type Line, readHistory } from './history.ts'
import { isActive, redeemCode, refresh } from './operation.ts'

interface Tokens {
  readonly access: readonly string[]
  readonly refresh: readonly string[]
}

const clientOf = (lines: readonly Line[]) =>
  lines.some(({ what }) => what.client === photoPrinter[0]) ? photoPrinter : houseApp

const pick = (lines: readonly Line[], deed: Line['deed'], word: Line['word']) =>
  lines.filter((line) => line.deed === deed && line.word === word)

const tokensOf = (lines: readonly Line[]): Tokens => {
  const got = lines.filter(({ word }) => word === 'acknowledged')
  return {
    access: got.flatMap(({ deed, what }) =>
      deed === 'tokens' || deed === 'refresh' ? [what.access_token ?? ''] : [],
    ),
    refresh: got.flatMap(({ deed, what }) =>
      deed === 'tokens' || deed === 'refresh' ? [what.refresh_token ?? ''] : [],
    ),
  }
}

/** Whether something must be, must not be, or may be either way. */
const fateOf = (lines: readonly Line[], deed: Line['deed']): 'done' | 'not asked' | 'either' => {
  if (pick(lines, deed, 'acknowledged').length > 0) return 'done'
  return pick(lines, deed, 'asked').length > 0 ? 'either' : 'not asked'
}

/**
 * Whether this token had to be accepted. The answer to an earlier refresh with it may have been
 * lost, and is repeated only for a while. The last seconds of that are left out.
 */
const mustRefresh = (lines: readonly Line[], token: string): boolean =>
  pick(lines, 'refresh', 'asked').every(
    ({ what, at }) =>
      what.refresh_token !== token ||
      Date.now() - at < (defaultLimits.refreshRetrySeconds - 5) * 1000,
  )

/** What is wrong with one life now; looking at it ends it. */
const auditLife = async (
  name: string,
  lines: readonly Line[],
  service: Reachable,
): Promise<readonly string[]> => {
  const faults: string[] = pick(lines, 'revoke', 'broken')
    .concat(pick(lines, 'end', 'broken'))
    .map(({ deed }) => `${deed} was acknowledged, and the token was still live afterwards`)
  const expect = (right: boolean, what: string): void => {
    if (!right) faults.push(what)
  }
  const client = clientOf(lines)
  const operator = await operatorOf(service)
  const owner = await operator('POST', 'owners', { username: name, password })
  if (fateOf(lines, 'owner') === 'done') expect(owner.status === 409, 'the owner is gone')
  const { access, refresh: refreshTokens } = tokensOf(lines)
  const [first = ''] = access
  const [revoked, ended] = [fateOf(lines, 'revoke'), fateOf(lines, 'end')]
  for (const token of access) {
    const active = await isActive(service, token, client)
    const isDead = ended === 'done' || (token === first && revoked === 'done')
    const isAlive = ended === 'not asked' && (token !== first || revoked === 'not asked')
    if (isDead) expect(!active, 'a token that was ended lives again')
    if (isAlive) expect(active, 'a token that was given is gone')
    if (active) await auditItem(lines, token, service, expect)
  }
  const last = refreshTokens.at(-1)
  if (last !== undefined) {
    const { status } = await refresh(service, last, client)
    if (ended === 'done') expect(status === 400, 'a refresh token that was ended works again')
    if (ended === 'not asked' && mustRefresh(lines, last)) {
      expect(status === 200, 'a refresh token that was given is gone')
    }
  }
  await auditCode(lines, service, expect)
  return faults.map((fault) => `${name}: ${fault}`)
}

type Expect = (right: boolean, what: string) => void

const auditItem = async (
  lines: readonly Line[],
  token: string,
  service: Reachable,
  expect: Expect,
): Promise<void> => {
  const { body } = await service.ask('/api/photos/a', bearer(token))
  const kept = Number(pick(lines, 'item', 'acknowledged').at(-1)?.what.title ?? 0)
  const asked = Number(pick(lines, 'item', 'asked').at(-1)?.what.title ?? 0)
  const found = Number(body?.title ?? 0)
  expect(found >= kept && found <= asked, `the item says ${found}, not ${kept}`)
}

/** A replayed code gets nothing, and ends its earlier tokens. */
const auditCode = async (
  lines: readonly Line[],
  service: Reachable,
  expect: Expect,
): Promise<void> => {
  const [asked] = pick(lines, 'tokens', 'asked')
  const code = asked?.what.code
  if (code === undefined) return
  const answers = [await redeemCode(service, code), await redeemCode(service, code)]
  const won = answers.filter(({ status }) => status === 200).length
  const before = pick(lines, 'tokens', 'acknowledged').length
  expect(won + before <= 1, 'a code succeeded twice')
  expect(
    answers.every(({ status }) => status === 200 || status === 400),
    'a code was refused with something else than 400',
  )
  for (const token of tokensOf(lines).access) {
    expect(!(await isActive(service, token, photoPrinter)), 'a replayed code left a live token')
  }
}

export interface Findings {
  readonly lives: number
  readonly acknowledged: number
  readonly unknown: number
  readonly broken: readonly string[]
}

export const replay = async (file: string, service: Reachable): Promise<Findings> => {
  const lives = readHistory(file)
  const broken: string[] = []
  for (const [name, lines] of lives) broken.push(...(await auditLife(name, lines, service)))
  const all = [...lives.values()].flat()
  const count = (wanted: Line['word']) => all.filter(({ word }) => word === wanted).length
  return {
    lives: lives.size,
    acknowledged: count('acknowledged'),
    unknown: count('unknown'),
    broken,
  }
}

/** All that was ever ended, later still: how many of the tokens in a history are live. */
export const countLive = async (file: string, service: Reachable): Promise<number> => {
  let live = 0
  for (const lines of readHistory(file).values()) {
    if (fateOf(lines, 'end') !== 'done') continue
    for (const token of tokensOf(lines).access) {
      if (await isActive(service, token, clientOf(lines))) live++
    }
  }
  return live
}
