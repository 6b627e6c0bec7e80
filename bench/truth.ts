/** Whether what a server answered is true afterwards: what it issued lives, what it revoked does not. */
import { formBody } from '../test/support/start.ts'
import { application, type Outcome, service, type Target, type Work } from './load/job.ts'
import { connections } from './material.ts'
import type { Running } from './subjects/subject.ts'

/** So many of what was answered are tried afterwards. */
const sampled = 20
/** An answer that takes longer does not come. */
const patienceMilliseconds = 30_000

/** What has to be so after a slice, and after a crash: these tokens live, those do not. */
export interface Truth {
  readonly client: Target['revoker']
  readonly living: readonly string[]
  readonly ended: readonly string[]
}

const accessOf = (pair: string): string => pair.split(' ')[0] ?? ''

const spread = (list: readonly string[]): readonly string[] => {
  const step = Math.max(1, Math.floor(list.length / sampled))
  return list.filter((_, i) => i % step === 0).slice(0, sampled)
}

/** Null where nothing follows from the answers. */
export const truthOf = (
  operation: Work,
  { revoker }: Target,
  material: readonly string[],
  outcome: Outcome,
): Truth | null => {
  switch (operation) {
    case 'token':
      return { client: service, living: spread(outcome.kept), ended: [] }
    case 'code':
    case 'id-token-rs256':
    case 'id-token-es256':
    case 'refresh':
    case 'journey':
      return { client: application, living: spread(outcome.kept).map(accessOf), ended: [] }
    case 'revoke':
      // Each connection began with one of the first.
      return { client: revoker, living: [], ended: material.slice(0, connections) }
    default:
      return null
  }
}

const isActive = async (
  { subject, target }: Running,
  token: string,
  client: Truth['client'],
): Promise<boolean> => {
  const origin = `http://127.0.0.1:${target.port}`
  const signal = AbortSignal.timeout(patienceMilliseconds)
  if (!subject.introspects) {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(origin + subject.readPath, { headers, signal })).status === 200
  }
  const answer = await fetch(`${origin}/introspect`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${client.id}:${client.secret}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: formBody({ token }),
    signal,
  })
  const body = (await answer.json()) as { readonly active?: boolean }
  return answer.status === 200 && body.active === true
}

/** Null where it is true, else what is not. */
export const findLie = async (running: Running, truth: Truth): Promise<string | null> => {
  for (const token of truth.living) {
    if (!(await isActive(running, token, truth.client))) return 'a token that was issued is dead'
  }
  for (const token of truth.ended) {
    if (await isActive(running, token, truth.client)) return 'a token that was revoked lives'
  }
  return null
}
