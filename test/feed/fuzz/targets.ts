import type fc from 'fast-check'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { groupedMarkets } from '../../../src/feed/groups/applyGroups.ts'
import { readGroups } from '../../../src/feed/groups/readGroups.ts'
import { openStoreHistory } from '../../../src/feed/history/storeHistory.ts'
import { guessedMapping } from '../../../src/feed/mapping/guess.ts'
import { mappedImporter } from '../../../src/feed/mapping/importMapped.ts'
import { previewMapped } from '../../../src/feed/mapping/preview.ts'
import { type MarketDraft, NOT_STATED } from '../../../src/feed/marketDraft.ts'
import { convertKalshiRfq } from '../../../src/feed/rfqLog/kalshiRfq.ts'
import { readRfqLog } from '../../../src/feed/rfqLog/readRfqLog.ts'
import { STORE_FILE } from '../../../src/feed/store/storeHead.ts'
import { verifyStore } from '../../../src/look/verifyStore.ts'
import { importerOf, knownFormats } from '../../../src/scenario/formats.ts'
import { mappingOfText } from '../../../src/scenario/mappingFile.ts'
import { bareDamage, type Damage, damage, type Damaged, damaged, type Files } from './damage.ts'
import { expectRows, isAccounted, isImported, linesOf, orRefused } from './handled.ts'
import { GROUPS, KALSHI_RFQS, MAPPING_FILE, MAPPINGS, RFQ_LOGS, ROWS, SAMPLES } from './samples.ts'
import { contentOf, soundStore } from './soundStore.ts'

/** Something that reads files of others, with sound ones. */
export interface Target {
  readonly name: string
  readonly sound: Files | (() => Promise<Files>)
  readonly damage: fc.Arbitrary<Damage>
  /** Reads the files in the folder, and fails where they are not handled as they should be. */
  play(folder: string, damaged: Damaged): Promise<unknown>
}

const named: Target[] = await Promise.all((await knownFormats()).map(async ({ format }): Promise<Target> => {
  const importer = await importerOf(format)
  return { name: format, sound: SAMPLES[format]?.() ?? {}, damage, play: (folder, one) => isImported(importer, folder, one) }
}))

const NAMES: Readonly<Record<keyof typeof ROWS, string>> = { csv: 'a.csv', quoted: 'a.csv', ndjson: 'a.ndjson', parquet: 'a.parquet' }
const mapped: Target[] = (Object.keys(ROWS) as (keyof typeof ROWS)[]).flatMap((rows) => Object.entries(MAPPINGS).map(([kind, yaml]): Target => {
  const importer = mappedImporter(mappingOfText('mapping.yaml', yaml), { isKept: false })
  return { name: `${kind} of ${rows}`, sound: { [NAMES[rows]]: ROWS[rows] }, damage, play: (folder, one) => isImported(importer, folder, one) }
}))

const guessed: Target[] = (Object.keys(ROWS) as (keyof typeof ROWS)[]).map((rows) => ({
  name: `auto of ${rows}`,
  sound: { [NAMES[rows]]: Buffer.from(ROWS[rows].toString('latin1').replace('t,m,b,a,n,s,p,z,r', 'timestamp,ticker,bid,ask,bid_size,side,price,seq,result'), 'latin1') },
  damage,
  async play(folder) {
    const text = await orRefused(() => guessedMapping([folder]))
    if (text !== undefined) await orRefused(() => previewMapped(mappingOfText('guess', text), [folder], 20))
  },
}))

const logs: Target[] = (['ndjson', 'csv', 'parquet'] as const).map((format) => ({
  name: `RFQ log of ${format}`, sound: { [`log.${format}`]: RFQ_LOGS[format] }, damage: bareDamage,
  async play(folder, { name, text }) {
    const log = await orRefused(() => readRfqLog(join(folder, name)))
    if (log === undefined) return
    isAccounted(log.report, text === null ? Infinity : text.split('\n').length)
    if (text === null || text.includes('\uFEFF')) return
    if (format === 'ndjson') expectRows(log.report, text.split('\n').filter((line) => line.trim() !== '').length)
    else if (!text.includes('"')) expectRows(log.report, linesOf(text).length - 1)
  },
}))

const conversion: Target = {
  name: 'kalshi-rfq', sound: { 'rows.jsonl': KALSHI_RFQS }, damage: bareDamage,
  async play(folder, { name, text }) {
    const made = await orRefused(() => convertKalshiRfq([join(folder, name)]))
    if (made === undefined) return
    isAccounted(made.report, text === null ? Infinity : text.split('\n').length)
    writeFileSync(join(folder, 'log.ndjson'), made.lines.join('\n'))
    const log = await orRefused(() => readRfqLog(join(folder, 'log.ndjson')))
    // What is written can be read.
    if (log !== undefined) expect(log.report.inputRows).toBe(made.lines.length)
  },
}

const MARKETS: readonly MarketDraft[] = ['KXMLBGAME-25JUN19ATHLAA-ATH', 'high-61', 'other'].map((ticker, i) => ({
  ...NOT_STATED, ticker, venue: 'venue_a', event: ticker.slice(0, 22), series: 'S', category: 'sports', title: i === 1 ? 'a test' : ticker, exclusionKeys: [`event:${ticker}`], openUs: 0,
}))

const groups: Target = {
  name: 'groups', sound: { 'groups.yaml': GROUPS }, damage: bareDamage,
  async play(folder, { name }) {
    const grouped = await orRefused(() => groupedMarkets(MARKETS, readGroups(join(folder, name))))
    for (const { exclusionKeys } of grouped ?? []) expect([exclusionKeys.length > 0, exclusionKeys.length]).toEqual([true, new Set(exclusionKeys).size])
  },
}

const mapping: Target = {
  name: 'mapping', sound: { 'mapping.yaml': MAPPING_FILE }, damage: bareDamage,
  play: (folder, { name }) => orRefused(() => mappingOfText('mapping.yaml', readFileSync(join(folder, name), 'utf8'))),
}

/** A store is refused, or has what it had: nobody reads other prices of a file that has changed. */
const store: Target = {
  name: 'store', sound: async () => (await soundStore()).files, damage: bareDamage,
  async play(folder, { files, name }) {
    const { files: sound, content } = await soundStore()
    const verified = await orRefused(() => verifyStore(folder))
    const read = await orRefused(() => contentOf(folder))
    if (read !== undefined) expect(read).toBe(content)
    await orRefused(() => openStoreHistory(folder))
    // `store.json` may be written in another way, and say the same.
    if (verified?.faults.length === 0 && name !== STORE_FILE) expect(files[name]).toEqual(sound[name])
  },
}

export const TARGETS: readonly Target[] = [...named, ...mapped, ...guessed, ...logs, conversion, groups, mapping, store]

/** Plays one damage of a target's files in a folder that goes away after it. */
export async function playDamage({ play }: Target, sound: Files, one: Damage, room: string, hugeBytes: number): Promise<void> {
  const folder = join(room, 'in')
  const given = damaged(sound, one, hugeBytes)
  for (const [name, bytes] of Object.entries(given.files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), bytes)
  }
  await play(folder, given)
  rmSync(folder, { recursive: true, force: true })
}
