/** The load generator as a process of its own: a job comes over the channel, its outcome goes back. */
import type { Job } from './job.ts'
import { runSlice } from './slice.ts'

process.on('message', async (job: Job) => {
  process.send?.(await runSlice(job))
})
process.on('disconnect', () => process.exit(0))
