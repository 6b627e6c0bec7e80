/** How long readers wait while many people log in at once, which costs a password hash each. */
import type { Generator } from './generator.ts'
import type { Supplies } from './material.ts'
import type { Crowd } from './results.ts'
import type { Running } from './subjects/subject.ts'

const seconds = 5
const logins = 50
const readsPerSecond = 2000
const readers = 16

export const measureCrowd = async (
  { subject, target }: Running,
  supplies: Supplies,
  [first, second]: readonly [Generator, Generator],
): Promise<Crowd> => {
  const job = { target, seconds, most: null, keep: 0, rate: null, awake: false }
  const names = await supplies.get('login', seconds)
  const tokens = await supplies.get('read', seconds)
  const [entering, reading] = await Promise.all([
    first.run({ ...job, work: 'login', connections: logins, material: names }),
    second.run({
      ...job,
      work: 'read',
      connections: readers,
      rate: readsPerSecond,
      material: tokens,
    }),
  ])
  return {
    subject: subject.name,
    logins,
    readsPerSecond,
    fault: reading.firstWrong ?? entering.firstWrong,
    readP99: reading.p99,
    loginsPerSecond: Math.round(entering.done / Math.max(entering.seconds, 0.001)),
  }
}
