import { NO_PRICE, PRICE_ONE_E6 } from '../../market/ticks.ts'
import type { Importer } from '../importer.ts'
import type { FileTally, ImportTally } from '../importTally.ts'
import { ROUNDED, roundedText } from '../mapping/sectionRows.ts'
import { type MarketDraft, NOT_STATED } from '../marketDraft.ts'
import type { Cells } from '../rows/cells.ts'
import { readRows, type SourceTable, sourceTables } from '../rows/sourceTables.ts'
import type { TickSink } from '../tickSink.ts'
import { anyInstants } from './anyInstants.ts'

const FILES = {
  fills: [
    'block_number|blockNumber', 'maker_asset_id|makerAssetId', 'taker_asset_id|takerAssetId', 'maker_amount|makerAmountFilled|maker_amount_filled',
    'taker_amount|takerAmountFilled|taker_amount_filled', 'log_index|logIndex?', 'taker?',
  ],
  blocks: ['block_number|blockNumber|number', 'timestamp|block_timestamp'],
  tokens: ['token_id|asset_id|clob_token_id', 'market_slug|slug|condition_id', 'outcome'],
} as const

/** The asset that stands for USDC. It has six decimals, as all others have. */
const USDC = '0'
/** The two exchanges. Where one is the taker, the row sums up what the taker's order got from the makers, who have rows of their own. */
const EXCHANGES = new Set(['0x4bfb41d5b3570defd03c39a9a4d8de6bd8b8982e', '0xc5d563a36ae78145c45a50134d48a1215220f80a'])

interface Token {
  readonly place: number
  readonly tally: FileTally
  readonly firstRow: number
  openUs: number
}

interface NamedToken {
  readonly slug: string
  readonly outcome: string
}

/** Fills of orders on Polymarket's exchanges, as dumps of the chain have them. The price of a fill is its USDC by its shares, seen at the time of its block. */
export const polymarketFills: Importer = {
  format: 'polymarket-fills',
  about: 'Polymarket fills on chain: OrderFilled events, times of blocks, names of tokens beside them (Parquet, CSV, NDJSON)',
  async read(paths, ticks, tally) {
    const { tables, close } = await sourceTables(paths, FILES, tally)
    try {
      const blocks = await readBlocks(tables.blocks, tally)
      const names = await readTokens(tables.tokens, tally)
      const fills = new FillRows(blocks, ticks)
      for (const source of tables.fills) {
        const fileTally = tally.file(source.file.name)
        fills.begin(fileTally)
        await readRows(source, fileTally, (cells, row, number) => fills.row(cells, row, number))
      }
      return { markets: [...fills.tokens].map(([token, seen]) => draftOf(token, seen, names.get(token))) }
    } finally {
      await close()
    }
  },
}

async function readBlocks(files: readonly SourceTable[], tally: ImportTally): Promise<ReadonlyMap<number, number>> {
  const blocks = new Map<number, number>()
  for (const source of files) {
    const fileTally = tally.file(source.file.name)
    const times = anyInstants(1, 'UTC')
    await readRows(source, fileTally, (cells, row, number) => {
      const block = cells[0]!.scaled(row, 0)
      const atUs = times.read(cells, row)
      const before = blocks.get(block)
      if (!(block >= 0)) fileTally.quarantine('bad block', number, `'${cells[0]!.text(row)}' is no number of a block`)
      else if (typeof atUs === 'string') fileTally.quarantine(atUs, number, `'${times.text(cells, row)}'`)
      else if (before === undefined) {
        blocks.set(block, atUs)
        fileTally.accept()
      } else if (before === atUs) fileTally.quarantine('duplicate', number, `block ${block} again`)
      else fileTally.quarantine('contradiction', number, `block ${block} at another time: the first one stands`)
    })
  }
  return blocks
}

async function readTokens(files: readonly SourceTable[], tally: ImportTally): Promise<ReadonlyMap<string, NamedToken>> {
  const names = new Map<string, NamedToken>()
  const tickers = new Set<string>()
  for (const source of files) {
    const fileTally = tally.file(source.file.name)
    await readRows(source, fileTally, (cells, row, number) => {
      const [token, slug, outcome] = cells.map((column) => column.text(row)) as [string, string, string]
      const before = names.get(token)
      if (token === '' || slug === '' || outcome === '') fileTally.quarantine('no name', number, 'the token, its market or its outcome is empty')
      else if (before !== undefined) {
        const isSame = before.slug === slug && before.outcome === outcome
        fileTally.quarantine(isSame ? 'duplicate' : 'contradiction', number, `token ${token} again: the first row stands`)
      } else if (tickers.has(`${slug}:${outcome}`)) fileTally.quarantine('contradiction', number, `a second token of ${slug}:${outcome}`)
      else {
        names.set(token, { slug, outcome })
        tickers.add(`${slug}:${outcome}`)
        fileTally.accept()
      }
    })
  }
  return names
}

class FillRows {
  readonly tokens = new Map<string, Token>()
  private declare readonly blocks: ReadonlyMap<number, number>
  private declare readonly ticks: TickSink
  private declare tally: FileTally
  private block = -1
  private logIndex = -1

  constructor(blocks: ReadonlyMap<number, number>, ticks: TickSink) {
    this.blocks = blocks
    this.ticks = ticks
  }

  begin(tally: FileTally): void {
    this.tally = tally
    this.block = this.logIndex = -1
  }

  row(cells: readonly Cells[], row: number, number: number): void {
    const { tally } = this
    const block = cells[0]!.scaled(row, 0)
    const atUs = this.blocks.get(block)
    if (!(block >= 0)) return tally.quarantine('bad block', number, `'${cells[0]!.text(row)}' is no number of a block`)
    if (atUs === undefined) return tally.quarantine('block without time', number, `no file has the time of block ${block}`)
    const price = priceOf(cells, row)
    if (typeof price === 'string') return tally.quarantine(price, number, `${fillText(cells, row)}`)
    const logIndex = cells[5]!.scaled(row, 0)
    if (block === this.block && logIndex === this.logIndex) return tally.quarantine('duplicate', number, `log ${logIndex} of block ${block} again`)
    tally.accept()
    if (block < this.block || (block === this.block && logIndex < this.logIndex)) tally.note('order goes back', number, 'fills of one block are taken in the order of the rows')
    this.block = block
    this.logIndex = logIndex
    if (EXCHANGES.has(cells[6]!.text(row).toLowerCase())) return tally.note('sum of a taker’s fills', number, 'the makers have rows of their own')
    if (price.isRounded) tally.note(ROUNDED, number, roundedText(fillText(cells, row)))
    const token = this.tokenOf(price.token, atUs, number)
    token.openUs = Math.min(token.openUs, atUs)
    this.ticks.add(atUs, token.place, NO_PRICE, NO_PRICE, NO_PRICE, NO_PRICE, price.e6)
  }

  private tokenOf(id: string, atUs: number, row: number): Token {
    const known = this.tokens.get(id)
    if (known !== undefined) return known
    const token = { place: this.tokens.size, tally: this.tally, firstRow: row, openUs: atUs }
    this.tokens.set(id, token)
    return token
  }
}

const fillText = (cells: readonly Cells[], row: number): string =>
  `${cells[3]!.text(row)} of ${cells[1]!.text(row) === USDC ? 'USDC' : 'shares'} for ${cells[4]!.text(row)} of ${cells[2]!.text(row) === USDC ? 'USDC' : 'shares'}`

/** USDC by shares, to the nearest millionth, half to even. */
function priceOf(cells: readonly Cells[], row: number): { readonly token: string; readonly e6: number; readonly isRounded: boolean } | string {
  const [makerAsset, takerAsset, makerAmount, takerAmount] = [1, 2, 3, 4].map((column) => cells[column]!.text(row)) as [string, string, string, string]
  if (makerAsset === '' || takerAsset === '' || (makerAsset === USDC) === (takerAsset === USDC)) return 'not USDC for shares'
  if (!/^\d+$/.test(makerAmount) || !/^\d+$/.test(takerAmount)) return 'bad amount'
  const [usdc, shares] = makerAsset === USDC ? [BigInt(makerAmount), BigInt(takerAmount)] : [BigInt(takerAmount), BigInt(makerAmount)]
  if (shares === 0n) return 'bad amount'
  if (usdc > shares) return 'price out of range'
  const scaled = usdc * BigInt(PRICE_ONE_E6)
  const [whole, rest] = [scaled / shares, scaled % shares]
  const isUp = rest * 2n > shares || (rest * 2n === shares && whole % 2n === 1n)
  return { token: makerAsset === USDC ? takerAsset : makerAsset, e6: Number(isUp ? whole + 1n : whole), isRounded: rest !== 0n }
}

function draftOf(token: string, { tally, firstRow, openUs }: Token, name: NamedToken | undefined): MarketDraft {
  if (name === undefined) tally.note('token without a name', firstRow, `nothing says which market token ${token} is of, so that it excludes no other`)
  const { slug = '', outcome = '' } = name ?? {}
  return {
    ...NOT_STATED, ticker: name === undefined ? token : `${slug}:${outcome}`, venue: 'venue_b', event: slug, series: '', category: '', title: '',
    exclusionKeys: name === undefined ? [] : [`event:${slug}`], openUs,
  }
}
