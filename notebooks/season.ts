// Makes up nights in a row as the price store that the notebooks play: `node notebooks/season.ts store/season 20`.
// Each night has markets, prices and results of its own, so that the nights are settlement clusters that share nothing.
import { resolve } from 'node:path'
import { importedHistory } from '../src/feed/importedHistory.ts'
import type { ImportResult } from '../src/feed/importer.ts'
import { ImportTally } from '../src/feed/importTally.ts'
import type { MarketDraft } from '../src/feed/marketDraft.ts'
import { writeStore } from '../src/feed/store/writeStore.ts'
import { TickBuffer } from '../src/feed/tickBuffer.ts'
import type { Market } from '../src/market/market.ts'
import { DAY_US } from '../src/unit/time.ts'
import { generateNight } from '../tools/quickstart/generator.ts'

/** 2025-06-19 22:00 UTC. */
const FIRST_NIGHT_US = 1_750_370_400_000_000
const GAMES = 6
const SEED = 20_250_700

/** Two nights or more as one history: what a night's markets are called begins with the night's number, so that no two are about one thing. */
export function season(nights: number): ImportResult {
  const tally = new ImportTally()
  const drafts: MarketDraft[] = []
  const ticks = new TickBuffer(1 << 16)
  for (let night = 0; night < nights; night++) {
    const seed = SEED + night
    const made = generateNight({ seed, startUs: FIRST_NIGHT_US + night * DAY_US, games: GAMES })
    const first = drafts.length
    drafts.push(...made.markets.map((market) => of(`N${String(night + 1).padStart(2, '0')}`, market)))
    append(ticks, made, first)
    const file = tally.file(`generated, seed ${seed}`)
    file.read(made.ticks.count)
    file.accept(made.ticks.count)
  }
  return importedHistory('generated', tally, drafts, ticks)
}

function of(night: string, market: Market): MarketDraft {
  const { number: _, ...draft } = market
  const named = (name: string): string => (name === '' ? '' : `${night}-${name}`)
  return {
    ...draft,
    ticker: named(market.ticker), event: named(market.event), game: named(market.game), ladder: named(market.ladder),
    exclusionKeys: market.exclusionKeys.map((key) => key.replace(':', `:${night}-`)),
  }
}

function append(ticks: TickBuffer, { ticks: more }: ImportResult, firstMarket: number): void {
  for (let row = 0; row < more.count; row++) {
    ticks.add(
      more.atUs[row]!, firstMarket + more.market[row]!, more.bidE6[row]!, more.askE6[row]!, more.bidSize[row]!, more.askSize[row]!, more.lastE6[row]!,
    )
  }
}

if (import.meta.main) {
  const path = resolve(process.argv[2] ?? 'store/season')
  const head = await writeStore(path, season(Number(process.argv[3] ?? 20)))
  process.stdout.write(`${path}: ${head.markets} markets, ${head.ticks} ticks, data ${head.dataHash}\n`)
}
