import { maker } from '../maker.ts'

/** The null maker, a yardstick: it gets nothing and does nothing, and its profit is exactly 0. */
export default maker({}, () => ({}), { about: 'the null maker: never quotes nor bids, its profit is exactly 0' })
