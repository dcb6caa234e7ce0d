import { bettor } from '../bettor.ts'
import { pct } from '../parameters.ts'
import { betAsNoise, NOISE } from './habits.ts'
import { SELLING, sellWhen, WATCHING } from './selling.ts'

/**
 * Take profit: bets like noise, looks at each position every `every`, and auctions it once its value at middle prices rises above
 * `level` of its cost. It takes the best bid that reaches a drawn share of the value.
 */
export default bettor({
  ...NOISE,
  ...SELLING,
  ...WATCHING,
  level: pct(150, { max: 100_000, about: 'value as a share of its cost over which a position is sold' }),
}, (p) => ({ ...betAsNoise(p), ...sellWhen(p, (ratio) => ratio > p.level) }), { about: 'bets as noise does, and sells a position that has gained value' })
