import type { OpenStore, StorePart } from '../../../src/feed/store/openStore.ts'
import type { Catalogue } from '../../../src/market/market.ts'
import type { Ticks } from '../../../src/market/ticks.ts'
import { ticksBetween, ticksOfPlaces } from '../../../src/market/tickWindow.ts'
import { assert } from '../../../src/unit/assert.ts'
import { lastsOf } from '../../market/chunkedTicks.ts'

/** A store in memory: each import has a part for each span of so many µs, in batches of so many rows. `read` hears of each batch that is read. */
export function madeStore(
  catalogue: Catalogue, imports: readonly Ticks[], { partUs, rows, read = () => {} }: { partUs: number; rows: number; read?: (part: string, batch: number) => void },
): OpenStore {
  const ticksOf = new Map<string, Ticks>()
  const parts: StorePart[] = []
  for (const [number, ticks] of imports.entries()) {
    for (let i = 0; i < ticks.count;) {
      const beginUs = Math.floor(ticks.atUs[i]! / partUs) * partUs
      const own = ticksBetween(ticks, beginUs, beginUs + partUs)
      const name = `parts/${beginUs}.${number}.arrow`
      ticksOf.set(name, own)
      parts.push({ name, import: number, ticks: own.count, firstUs: own.atUs[0]!, lastUs: own.atUs[own.count - 1]!, markets: new Set(own.market).size })
      i += own.count
    }
  }
  parts.sort((a, b) => a.firstUs - b.firstUs || a.import - b.import)
  const batchOf = (part: StorePart, batch: number): Ticks => {
    const own = ticksOf.get(part.name)
    assert(own !== undefined, 'a part of the store')
    return ticksOfPlaces(own, batch * rows, Math.min(own.count, (batch + 1) * rows))
  }
  return {
    path: '/made', catalogue, parts,
    head: { dataHash: '0'.repeat(64), files: {}, parts: [] as unknown } as OpenStore['head'],
    batchesOf: (part) => Array.from({ length: Math.ceil(part.ticks / rows) }, (_, i) => {
      const { count, atUs } = batchOf(part, i)
      return { ticks: count, firstUs: atUs[0]!, lastUs: atUs[count - 1]! }
    }),
    readBatch: (part, batch) => {
      read(part.name, batch)
      return batchOf(part, batch)
    },
    lastOf: (part) => ({ ...lastsOf(ticksOf.get(part.name)!), ticks: new Float64Array(0) }),
    depth: null, depthBatchesOf: () => [],
    readDepth: () => { throw new Error('no test asks for it') },
    lastDepthOf: () => { throw new Error('no test asks for it') },
    asOf: () => { throw new Error('no test asks for it') },
    report: () => { throw new Error('no test asks for it') },
  }
}
