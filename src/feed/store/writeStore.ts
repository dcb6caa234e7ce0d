import type { StoreHead } from './storeHead.ts'
import { type ImportResult } from '../importer.ts'
import { Bug } from '../../unit/assert.ts'
import type { Ticks } from '../../market/ticks.ts'
import { StoreWriter, type StoreWriting } from './storeWriter.ts'

/**
 * Writes the result of an import that is in memory as a store. A store of that name is replaced. A folder that is something else is refused
 * with an InputError. Waits while another process writes the store. The same data give the same bytes.
 */
export async function writeStore(folder: string, { markets, ticks, report }: ImportResult, options: StoreWriting = {}): Promise<StoreHead> {
  checkTicks(ticks, markets.length)
  const writer = await StoreWriter.begin(folder, options)
  try {
    const { count, atUs, market, bidE6, askE6, bidSize, askSize, lastE6 } = ticks
    for (let i = 0; i < count; i++) writer.add(atUs[i]!, market[i]!, bidE6[i]!, askE6[i]!, bidSize[i]!, askSize[i]!, lastE6[i]!)
    return await writer.finish({ markets: markets.map(({ number: _, ...draft }) => draft), report: () => report })
  } catch (error) {
    throw writer.giveUp(error)
  }
}

function checkTicks({ count, atUs, market }: Ticks, marketCount: number): void {
  for (let i = 0; i < count; i++) {
    if (i > 0 && !(atUs[i]! >= atUs[i - 1]!)) throw new Bug(`tick ${i + 1} is earlier than the one before`)
    if (!(market[i]! >= 0 && market[i]! < marketCount)) throw new Bug(`tick ${i + 1} names market ${market[i]} of ${marketCount}`)
  }
}
