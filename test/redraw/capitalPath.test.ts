import { describe, expect, it } from 'vitest'
import { rootKey } from '../../src/kernel/random.ts'
import { drawNights } from '../../src/redraw/drawNights.ts'
import { serviceOf } from '../../src/redraw/redrawRun.ts'
import { type Backed, bookOf, coin, isNear, tally } from './byHand.ts'

const MANY = 40_000

/**
 * A maker of 100 fills three bets. The first, 60 against 40, on A (decided at 20) and B (decided at 35), is paid 5 later. In the recorded night A
 * is lost: at 25 the pot of 100 is the maker's. The second, at 30, risks 70, the third, at 45, 60. Both are decided after the night's fills.
 */
const FIRST: Backed = { stake: 40, risk: 60, legs: [[0, 20], [1, 35]], lagUs: 5, recordedUs: 25 }
const LATER: readonly Backed[] = [{ stake: 1, risk: 70, legs: [[0, 100]] }, { stake: 1, risk: 60, legs: [[0, 100]] }]
const CHECKS = [{ atUs: 10, freeMicros: 40 }, { atUs: 30, freeMicros: 70 }, { atUs: 45, freeMicros: 10 }]

const ruined = async (first: Backed, checks = CHECKS, markets = [coin('A', 0.5), coin('B', 0.5)]) => {
  const book = bookOf(markets, [first, ...LATER], checks)
  const nights = await drawNights(book, MANY, rootKey('test'))
  return { counts: tally(nights.uncarried[0]!), ruin: serviceOf(book, nights).makers[0]!.ruin }
}

describe('the capital of a maker in a redraw', () => {
  it('carries fills by what was settled before each, in the order of the redraw', async () => {
    // A lost: as recorded. A won and B lost: the pot comes at 40, after the second fill, which lacked 30, and before the third. Both won: it never
    // comes, the second fill lacks 30 and the third 90.
    const { counts, ruin } = await ruined(FIRST)
    expect([...counts.keys()]).toEqual([0, 1, 2])
    expect([isNear(counts.get(0)!, 0.5, MANY), isNear(counts.get(1)!, 0.25, MANY), isNear(counts.get(2)!, 0.25, MANY)]).toEqual([true, true, true])
    expect(ruin.fills).toBe(3)
    expect(ruin.share.value).toBe(1 - counts.get(0)! / MANY)
    expect(ruin.uncarriedMean).toBe((counts.get(1)! + 2 * counts.get(2)!) / MANY)
    expect(ruin.uncarriedMost).toBe(2)
  })

  it('counts what is paid at the instant of a fill, and not what is paid after it', async () => {
    // B decides at 35: with a lag of 10 the pot is there at 45, with 11 it is late for the third fill.
    const inTime = await ruined({ ...FIRST, lagUs: 10, recordedUs: 30 })
    const late = await ruined({ ...FIRST, lagUs: 11, recordedUs: 31 }, [CHECKS[0]!, { atUs: 30, freeMicros: 0 }, CHECKS[2]!])
    expect([...inTime.counts.keys()]).toEqual([0, 1, 2])
    expect([...late.counts.keys()]).toEqual([0, 1])
    expect(isNear(late.counts.get(0)!, 0.5, MANY)).toBe(true)
  })

  it('gets its risk back from a position with a void leg that was not lost before', async () => {
    // A lost: the pot of 100 comes at 25. A won: the void of 35 gives back 60 at 40, after the second fill, which lacked 30; the third lacks 30 too.
    const book = bookOf([coin('A', 0.52)], [{ ...FIRST, legs: [[0, 20]], voidUs: 35 }, ...LATER], CHECKS)
    const nights = await drawNights(book, MANY, rootKey('test'))
    const counts = tally(nights.uncarried[0]!)
    expect([...counts.keys()]).toEqual([0, 2])
    expect(isNear(counts.get(0)!, 0.48, MANY)).toBe(true)
    // With 50 more at the third fill the risk is enough, and it would not be at 46.
    const later = (voidUs: number) => drawNights(bookOf([coin('A', 0.52)], [{ ...FIRST, legs: [[0, 20]], voidUs }, ...LATER], [...CHECKS.slice(0, 2), { atUs: 45, freeMicros: 60 }]), MANY, rootKey('test'))
    expect([...tally((await later(40)).uncarried[0]!).keys()]).toEqual([0, 1])
    expect([...tally((await later(41)).uncarried[0]!).keys()]).toEqual([0, 2])
  })

  it('is just enough with nothing left', async () => {
    // 30 more from the begin: the second fill leaves 0 where the pot has not come.
    const { counts } = await ruined(FIRST, CHECKS.map(({ atUs, freeMicros }) => ({ atUs, freeMicros: freeMicros + 30 })))
    expect([...counts.keys()]).toEqual([0, 1])
    expect(isNear(counts.get(1)!, 0.25, MANY)).toBe(true)
  })

  it('is never short where chances are as recorded', async () => {
    const { ruin } = await ruined(FIRST, CHECKS, [coin('A', 0), coin('B', 1)])
    expect([ruin.share.value, ruin.uncarriedMean]).toEqual([0, 0])
  })
})
