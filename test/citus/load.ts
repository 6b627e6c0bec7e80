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
import type { Cluster } from './cluster.ts'

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

/** So many lives, with as many on one machine as on another. */
export const beginLives = async (
  service: Started,
  cluster: Cluster,
  url: string,
  ofEach: number,
): Promise<readonly Life[]> => {
  const lives: Life[] = []
  const on = (port: number): readonly Life[] => lives.filter((life) => life.port === port)
  while (cluster.workers.some(({ port }) => on(port).length < ofEach)) {
    const life = await beginLife(service, cluster, url)
    // A login needs both machines.
    const named = await findNamePort(cluster, url, life.visitor.username)
    if (on(life.port).length < ofEach && named === life.port) lives.push(life)
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
const mostLacking = 5000

/** Lives that go on until they are told to stop. */
export const goOn = (service: Started, lives: readonly Life[]) => {
  let isStopped = false
  let answered = 0
  let lacking = 0
  const each = lives.map(async (life) => {
    while (!isStopped) {
      if (await liveOnce(service, life)) answered++
      else lacking++
      await new Promise(setImmediate)
    }
  })
  return {
    counts: () => ({ answered, lacking }),
    /** Until so many more rounds were answered whole. @throws Error where the service does not come back */
    async until(more: number): Promise<void> {
      const [enough, tooMany] = [answered + more, lacking + mostLacking]
      const all = Promise.all(each)
      while (answered < enough) {
        if (lacking > tooMany) throw new Error(`${lacking} rounds were not answered`)
        await Promise.race([all, new Promise((resolve) => setTimeout(resolve, 5))])
      }
    },
    async stop(): Promise<void> {
      isStopped = true
      await Promise.all(each)
    },
  }
}

/** What was answered holds, and nothing happened twice. */
export const assertKept = async (service: Started, life: Life): Promise<void> => {
  for (const token of life.revoked) {
    assert.deepEqual(await introspect(service, token), { active: false })
  }
  for (const family of life.families) {
    assert.equal((await introspect(service, family.accessToken)).active, true)
    // Where the last refresh was not answered, this is the same one again.
    const answer = await refresh(service, family.refreshToken)
    assert.equal(answer.status, 200, answer.text)
  }
  for (const code of life.unanswered) {
    const statuses = [await redeem(service, code), await redeem(service, code)].map(
      ({ status }) => status,
    )
    assert.ok(['200,400', '400,400'].includes(String(statuses)), String(statuses))
  }
  for (const code of life.redeemed) {
    assert.equal((await redeem(service, code)).body.error, 'invalid_grant')
  }
}
