// One day of a store, and all of it beside arrays: `day.ts STORE DAY`.
import { foldedHistory } from '../../src/feed/history/foldedHistory.ts'
import { openStoreHistory } from '../../src/feed/history/storeHistory.ts'
import { PriceBoard } from '../../src/market/priceBoard.ts'
import { assert } from '../../src/unit/assert.ts'
import { DAY_US } from '../../src/unit/time.ts'
import { cpuSeconds } from '../cpuSeconds.ts'

const [store, day] = process.argv.slice(2) as [string, string]
const startedMs = performance.now()
const { ticks, catalogue } = openStoreHistory(store)
const fromUs = Math.floor(ticks.firstUs(0) / DAY_US + Number(day)) * DAY_US
const folded = foldedHistory(ticks, catalogue.markets.length, fromUs)
assert(folded !== null, 'a day with others before it')
const board = new PriceBoard(folded.ticks, catalogue.markets.length, 0)
board.advance(folded.fromUs)
assert(board.applied > folded.stateTicks, 'the first event of the day')
const firstEventMs = performance.now() - startedMs
const toFirstEventMb = process.memoryUsage.rss() / 1e6
board.advance(fromUs + DAY_US - 1)
const ofTheDayMb = process.resourceUsage().maxRSS * 1.024e-3

/** Sums columns of ticks, as a strategy that only looks would. */
function read(atUs: Float64Array, bidE6: Int32Array, askE6: Int32Array, market: Int32Array): number {
  let sum = 0
  for (let i = 0; i < atUs.length; i++) sum += atUs[i]! + bidE6[i]! + askE6[i]! + market[i]!
  return sum
}

// All in memory once, so that reading is what is compared.
const chunks = Array.from({ length: ticks.chunkCount }, (_, chunk) => ticks.chunk(chunk))
const raw = (): number => chunks.reduce((sum, { atUs, bidE6, askE6, market }) => sum + read(atUs, bidE6, askE6, market), 0)
const replayed = (): number => {
  const all = new PriceBoard({ ...ticks, count: ticks.count, chunkCount: ticks.chunkCount, firstUs: (chunk) => ticks.firstUs(chunk), lastUs: (chunk) => ticks.lastUs(chunk), startOf: (chunk) => ticks.startOf(chunk), chunk: (chunk) => chunks[chunk]! }, catalogue.markets.length, 0)
  all.advance(Infinity)
  return all.applied
}
function rateOf(play: () => number): number {
  play()
  const before = process.cpuUsage()
  let plays = 0
  while (cpuSeconds(before) < 0.5) {
    play()
    plays++
  }
  return (plays * ticks.count) / cpuSeconds(before) / 1e6
}
const [rawRate, replayRate] = [rateOf(raw), rateOf(replayed)]
console.log(JSON.stringify({ 'one day: ms to its first event': firstEventMs, 'one day: MB at its first event': toFirstEventMb, 'one day: peak MB': ofTheDayMb, 'arrays, M ticks a CPU-second': rawRate, 'replay, M ticks a CPU-second': replayRate, 'replay as a share of arrays': replayRate / rawRate }))
