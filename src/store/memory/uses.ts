/** Uses are read each time. Of what is remembered they change the last use, which is known: nothing is forgotten for it. */
import type { UseBatch, UseSteps } from '../use-steps.ts'
import type { Marks } from './marks.ts'
import type { Standings } from './standings.ts'

export const watchUses = (store: UseSteps, marks: Marks, standings: Standings): UseSteps => ({
  listUses: store.listUses,
  countUses: store.countUses,
  async recordUses(batch: UseBatch) {
    const step = () => store.recordUses(batch).then(() => true)
    await marks.change([], step, (done) => {
      for (const { authorizationId, allowed, lastAt } of batch.uses) {
        if (!done) standings.forgetAuthorization(authorizationId)
        else if (allowed) standings.rememberUse(authorizationId, lastAt)
      }
    })
  },
})
