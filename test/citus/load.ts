/** Applications that go on under faults, and note each answer. */
import assert from 'node:assert/strict'
import { deriveShardKey } from '../../src/crypto/shard-keys.ts'
import type { OwnerId } from '../../src/model/ids.ts'
import { usernameKey } from '../../src/model/owner.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { newVisitor, type Visitor } from '../support/people.ts'
import { codeRequest, walk } from '../support/printing.ts'
import type { Answer, Started } from '../support/start.ts'
import { introspect, redeem, refresh } from '../support/tokens.ts'
import type { Cluster, Machine } from './cluster.ts'

interface Family {
  /** The last refresh token that was answered. */
  refreshToken: string
  readonly accessToken: string
}

/** One owner with an application. */
export interface Life {
  readonly visitor: Visitor
  /** The port of the machine with the rows of this owner. */
  readonly port: number
  readonly families: Family[]
  /** Codes with an answer of 200. */
  readonly redeemed: string[]
  /** Codes that were presented, and not answered. */
  readonly unanswered: string[]
  /** Access tokens whose revocation was answered. */
  readonly revoked: string[]
}

/** The port of the machine with the rows of an owner. */
const findPort = async (cluster: Cluster, url: string, id: string): Promise<number> => {
  const [row] = await cluster.askIn(
    url,
    `select nodeport as port from pg_dist_shard_placement where shardid =
      get_shard_id_for_distribution_column('owners', ${deriveShardKey(id as OwnerId)})`,
  )
  return Number(row?.port)
}

/** The port of the machine with the name of an owner. */
const findNamePort = async (cluster: Cluster, url: string, name: string): Promise<number> => {
  const [row] = await cluster.askIn(
    url,
    `select nodeport as port from pg_dist_shard_placement where shardid =
      get_shard_id_for_distribution_column('names', 'username:${usernameKey(name)}')`,
  )
  return Number(row?.port)
}

const beginLife = async (service: Started, cluster: Cluster, url: string): Promise<Life> => {
  const visitor = await newVisitor(service)
  const port = await findPort(cluster, url, visitor.id)
  return { visitor, port, families: [], redeemed: [], unanswered: [], revoked: [] }
}

/** @param lost as many lives are on this machine as elsewhere; null: all are anywhere */
export const beginLives = async (
  service: Started,
  cluster: Cluster,
  url: string,
  ofEach: number,
  lost: Machine | null = null,
): Promise<readonly Life[]> => {
  const lives: Life[] = []
  const isLost = ({ port }: Life): boolean => port === lost?.port
  const lack = (lostOnes: boolean): boolean =>
    lives.filter((life) => isLost(life) === lostOnes).length < ofEach
  while (lack(false) || (lost !== null && lack(true))) {
    const life = await beginLife(service, cluster, url)
    // A login needs the machine of the name, too.
    const named = await findNamePort(cluster, url, life.visitor.username)
    if (lack(isLost(life)) && (isLost(life) || named !== lost?.port)) lives.push(life)
  }
  return lives
}

/** An answer of 200, or null for one that the service could not give. Any other is a fault of it. */
const orNull = (answer: Answer): Answer | null => {
  if (answer.status === 503) return null
  assert.equal(answer.status, 200, answer.text)
  return answer
}

/** A code by a consent of the owner; null where a machine was missing for it. */
const askCode = async (service: Started, { visitor }: Life): Promise<string | null> => {
  const page = await walk(service, { ...codeRequest, prompt: 'consent' }, {}, visitor.browser)
  const location = page.headers.get('location')
  if (location !== null) return new URL(location).searchParams.get('code')
  assert.equal(page.status, 503, page.text)
  return null
}

/** A code, its redemption, a refresh, and a revocation. @returns whether all was answered */
export const liveOnce = async (service: Started, life: Life): Promise<boolean> => {
  const code = await askCode(service, life).catch((error: unknown) => {
    // The page that a form was expected on was one of 503.
    assert.match(String(error), /no form on .* 503/)
    return null
  })
  if (code === null) return false
  const first = orNull(await redeem(service, code))
  if (first === null) {
    life.unanswered.push(code)
    return false
  }
  life.redeemed.push(code)
  const family = { refreshToken: first.body.refresh_token, accessToken: first.body.access_token }
  life.families.push(family)
  const second = orNull(await refresh(service, family.refreshToken))
  if (second === null) return false
  family.refreshToken = second.body.refresh_token
  const token = second.body.access_token
  if (orNull(await service.post('/revoke', { token }, photoPrinter)) === null) return false
  life.revoked.push(token)
  return true
}

/** A machine that is back takes far fewer rounds. */
const mostLacking = 20_000

/**
 * Lives go on during some work, and end with it.
 *
 * @param work gets what waits until so many more rounds were answered whole
 * @returns how many were answered, in words
 */
export const goOnDuring = async (
  service: Started,
  lives: readonly Life[],
  work: (until: (more: number) => Promise<void>) => Promise<void>,
): Promise<string> => {
  let isStopped = false
  let answered = 0
  let lacking = 0
  const each = lives.map(async (life) => {
    while (!isStopped) {
      const isWhole = await liveOnce(service, life)
      if (isWhole) answered++
      else lacking++
      // Who asks without a pause keeps a machine from coming back.
      await new Promise((resolve) => setTimeout(resolve, isWhole ? 0 : 20))
    }
  })
  const all = Promise.all(each)
  // The end throws it.
  all.catch(() => {})
  try {
    await work(async (more) => {
      const [enough, tooMany] = [answered + more, lacking + mostLacking]
      while (answered < enough) {
        if (lacking > tooMany) throw new Error(`${lacking} rounds were not answered`)
        await Promise.race([all, new Promise((resolve) => setTimeout(resolve, 5))])
      }
    })
  } finally {
    isStopped = true
    await all
  }
  return `${answered} rounds were answered, ${lacking} were not`
}

/** What was answered holds, and nothing happened twice. A code that is presented again ends its family, so all is forgotten then. */
export const assertKept = async (service: Started, life: Life): Promise<void> => {
  for (const token of life.revoked.splice(0)) {
    assert.deepEqual(await introspect(service, token), { active: false })
  }
  for (const family of life.families.splice(0)) {
    assert.equal((await introspect(service, family.accessToken)).active, true)
    // Where the last refresh was not answered, this is the same one again.
    const answer = await refresh(service, family.refreshToken)
    assert.equal(answer.status, 200, answer.text)
  }
  for (const code of life.unanswered.splice(0)) {
    const statuses = [await redeem(service, code), await redeem(service, code)].map(
      ({ status }) => status,
    )
    assert.ok(['200,400', '400,400'].includes(String(statuses)), String(statuses))
  }
  for (const code of life.redeemed.splice(0)) {
    assert.equal((await redeem(service, code)).body.error, 'invalid_grant')
  }
}
