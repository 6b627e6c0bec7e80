/** Features that take part in some of the runs: at most one in each, so that runs stay short. */
import { chanceOf } from '../chance.ts'
import { backchannelGuest } from './backchannel.ts'
import { exchangeGuest } from './exchange.ts'
import { grantGuest } from './grant-management.ts'
import type { Guest } from './guest.ts'
import { signalGuest } from './signals.ts'
import { issuerGuest } from './trusted-issuers.ts'

const guests: readonly Guest[] = [
  backchannelGuest,
  exchangeGuest,
  issuerGuest,
  grantGuest,
  signalGuest,
]

/** How many of the runs have a guest. */
const often = 0.4

/** The guest of a run, which follows from its seed; null for none. */
export const drawGuest = (seed: number): Guest | null => {
  const chance = chanceOf(seed, 'guest')
  return chance.flip(often) ? chance.pick(guests) : null
}
