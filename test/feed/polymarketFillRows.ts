import { lines } from './writtenFiles.ts'

/** A fill of an order on Polymarket's exchanges, as a dump of the chain has it. Of the assets, 0 is USDC and others are tokens. Amounts are millionths. */
export type Fill = [block: number | string, log: number, makerAsset: string, takerAsset: string, makerAmount: string, takerAmount: string, taker?: string]

const HEADER = 'block_number,transaction_hash,log_index,order_hash,maker,taker,maker_asset_id,taker_asset_id,maker_amount,taker_amount,fee'
const row = ([block, log, makerAsset, takerAsset, makerAmount, takerAmount, taker = '0xb']: Fill): string =>
  `${block},0x1,${log},0x2,0xa,${taker},${makerAsset},${takerAsset},${makerAmount},${takerAmount},0`

export const fillTable = (...rows: readonly Fill[]): string => lines(HEADER, ...rows.map(row))
