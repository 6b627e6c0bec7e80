/** A feature that takes part in some of the runs. */
import type { Stage } from '../actors.ts'
import type { Chance } from '../chance.ts'
import type { Actor } from '../front.ts'

export interface Guest {
  readonly name: string
  /** Its actors, by name. */
  invite(
    stage: Stage,
    chance: Chance,
  ): readonly (readonly [name: string, act: (actor: Actor) => Promise<void>])[]
  /** Looks once more, after all else. */
  inspect?(stage: Stage): Promise<void>
}
