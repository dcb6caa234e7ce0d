import { bettor } from '../bettor.ts'
import { betAsNoise, NOISE } from './habits.ts'

/**
 * Noise: random legs, sides and stakes. Takes the best offer once a decision time has passed if it gives at least
 * (1 − tolerance) of the odds that middle prices imply, with the tolerance drawn per bettor; else waits, then leaves.
 */
export default bettor(NOISE, betAsNoise, { about: 'random legs, sides and stakes; takes offers within a drawn tolerance of fair odds' })
