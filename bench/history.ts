// Rows of recorded data per CPU-second: `node tools/bundle/run.mjs bench/history.ts TICKS [FOLDER]` replays at least so many ticks of the quickstart's
// history through a price board, looked at after each, and imports FOLDER, a recording in the format polymarket-mlb-book.
import { fileURLToPath } from 'node:url'
import { importedFiles } from '../src/feed/importedHistory.ts'
import { polymarketMlbBook } from '../src/feed/importers/polymarketMlbBook.ts'
import { readStore } from '../src/feed/store/readStore.ts'
import { PriceBoard } from '../src/market/priceBoard.ts'
import { cpuSeconds } from './cpuSeconds.ts'

const STORE = fileURLToPath(new URL('../data/quickstart', import.meta.url))
const [ticksText = '2000000', folder] = process.argv.slice(2)
const { ticks, catalogue } = readStore(STORE)

/** Ticks seen by boards that each play the history once. */
function replay(least: number): number {
  let seen = 0
  while (seen < least) {
    const board = new PriceBoard(ticks, catalogue.markets.length, 0)
    for (let i = 0; i < ticks.count; i++) board.advance(ticks.atUs[i]!)
    seen += board.applied
  }
  return seen
}

async function importedPerSecond(path: string): Promise<number> {
  await importedFiles(polymarketMlbBook, [path])
  const before = process.cpuUsage()
  const { report } = await importedFiles(polymarketMlbBook, [path])
  return report.inputRows / cpuSeconds(before)
}

replay(ticks.count * 4)
const before = process.cpuUsage()
const seen = replay(Number(ticksText))
const replayed = seen / cpuSeconds(before)
console.log(JSON.stringify({ replayed, ...(folder === undefined ? {} : { imported: await importedPerSecond(folder) }) }))
