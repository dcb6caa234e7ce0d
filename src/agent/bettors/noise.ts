import { bettor } from '../bettor.ts'
import { betAsNoise, NOISE } from './habits.ts'

/**
 * Noise: random legs, sides and stakes. After its decision time it takes the best offer if that gives at least (1 − tolerance) of
 * the odds that middle prices imply, with a tolerance drawn per bettor. Otherwise it waits, and then leaves.
 */
export default bettor(NOISE, betAsNoise, { about: 'random legs, sides and stakes; takes offers within a drawn tolerance of fair odds' })
