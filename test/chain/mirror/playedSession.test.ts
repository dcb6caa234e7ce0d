import { describe, expect, it } from 'vitest'
import type { ServiceBatch } from '../../../src/record/sink.ts'
import type { OperatorInput } from '../../../src/engine/config.ts'
import { Session } from '../../../src/engine/session.ts'
import { AccountKind } from '../../../src/ledger/ledger.ts'
import { PostingField } from '../../../src/ledger/postingRows.ts'
import { Digest } from '../../../src/record/digest.ts'
import type { AwaitedSink, Sink } from '../../../src/record/sink.ts'
import { play } from '../../../src/scenario/play.ts'
import { Interrupted } from '../../../src/unit/interrupted.ts'
import { PARLAY_SETTINGS } from '../../../src/venue/parlay/protocol/profile.ts'
import { ParlayFault, ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { profileOf } from '../../../src/venue/profile.ts'
import { auctionConfig, type ParlayConfig, WORLD_START_US } from '../../engine/world.ts'
import { ModelChain } from './modelChain.ts'
import { faultsOf, mirrorOf } from './parlayMirror.ts'
import { SetFault } from '../../../src/venue/contract.ts'

const fault = (atS: number, value: number, isOn: boolean): OperatorInput => ({
  atUs: WORLD_START_US + atS * 1_000_000, op: ParlayOp.setFault, market: -1, value, [SetFault.isOn]: isOn ? 1 : 0,
})

/** Cash-outs, voids, and spells in which the chain is unclear, drops, or is mirrored late. */
function config(seconds = 240): ParlayConfig {
  const plain = auctionConfig(seconds, { profile: profileOf(PARLAY_SETTINGS, { chainRecoveryMs: 3_000, mirrorRecoveryMs: 2_000 }) })
  const { chainUnclear, chainDropped, mirrorBehind } = ParlayFault
  const spells = [[20, 40, chainUnclear], [60, 80, chainDropped], [100, 120, mirrorBehind]] as const
  const inputs = spells.flatMap(([from, to, value]) => [fault(from, value, true), fault(to, value, false)])
  return { ...plain, operator: [...plain.operator, ...inputs].toSorted((a, b) => a.atUs - b.atUs) }
}

const UNBOUND = { startUs: WORLD_START_US, untilUs: Infinity, arrivalsMax: null }

/** Free and reserved money of the accounts, from postings. */
class Balances implements Sink {
  readonly of = new Map<number, number>()

  flush({ parlay }: { readonly parlay: ServiceBatch | null }): void {
    const { postings } = parlay!
    for (let row = 0; row < postings.count; row++) {
      const amount = postings.get(row, PostingField.amountMicros)
      this.add(postings.get(row, PostingField.debitKind), postings.get(row, PostingField.debitOwner), -amount)
      this.add(postings.get(row, PostingField.creditKind), postings.get(row, PostingField.creditOwner), amount)
    }
  }

  finish(): void {}

  abort(): void {}

  private add(kind: number, owner: number, amountMicros: number): void {
    if (kind === AccountKind.free || kind === AccountKind.reserved) this.of.set(owner, (this.of.get(owner) ?? 0) + amountMicros)
  }
}

describe('a played session', () => {
  it('comes to the same on the chain, and to the same rows with a mirror as without', async () => {
    const alone = new Digest()
    const plain = new Session({ ...config(), sinks: [alone] })
    await play(plain, [alone], UNBOUND)

    const [digest, balances, chain] = [new Digest(), new Balances(), new ModelChain()]
    const mirror = mirrorOf(chain)
    const sinks = [digest, mirror, balances]
    await play(new Session({ ...config(), sinks }), sinks, UNBOUND)
    expect(digest.hex()).toBe(alone.hex())

    const { positions, open, accounts, pending } = mirror.summary()
    const { opened, won, lost, boughtBack, transferred } = positions
    expect(won + lost + positions.void + boughtBack + open).toBe(opened)
    for (const some of [won, lost, positions.void, boughtBack, transferred]) expect(some).toBeGreaterThan(10)
    expect([accounts, pending]).toEqual([balances.of.size, 0])
    const numbers = [...balances.of.keys()]
    expect((await chain.balances(numbers)).map(Number)).toEqual(numbers.map((account) => balances.of.get(account)))
  })

  it('sends the same in whatever chunks it is played', async () => {
    const sent = []
    for (const chunk of [64, 4096]) {
      const chain = new ModelChain(undefined, { callsPerBundle: 3 })
      const mirror = mirrorOf(chain, faultsOf({ droppedShare: 0.1, unconfirmedShare: 0.1 }))
      new Session({ ...config(120), sinks: [mirror] }).runToEnd(chunk)
      await mirror.settled()
      sent.push([chain.landed, mirror.summary(), chain.holdings()])
    }
    expect(sent[0]).toEqual(sent[1])
  })
})

describe('the loop', () => {
  /** A sink that notes what it is told, and fails in its own time. */
  class Slow implements AwaitedSink {
    readonly told: string[]
    private readonly failsAfter: number
    private flushes = 0

    constructor(told: string[], failsAfter: number) {
      this.told = told
      this.failsAfter = failsAfter
    }

    flush(): void {
      this.flushes++
    }

    finish(): void {
      this.told.push('finish')
    }

    abort(): void {
      this.told.push('abort')
    }

    async settled(): Promise<void> {
      await new Promise((resolve) => { setImmediate(resolve) })
      if (this.flushes >= this.failsAfter && !this.told.includes('abort')) throw new Error('the chain stops it')
      this.told.push('settled')
    }
  }

  /** Comes to an end only when it is given up. */
  class Stuck extends Slow {
    private readonly left = Promise.withResolvers<void>()

    override abort(): void {
      super.abort()
      this.left.resolve()
    }

    override settled(): Promise<void> {
      return this.left.promise
    }
  }

  class Quick extends Digest {
    readonly told: string[]

    constructor(told: string[]) {
      super()
      this.told = told
    }

    override finish(): void {
      this.told.push('quick finish')
    }

    override abort(): void {
      this.told.push('quick abort')
    }
  }

  it('finishes nothing else before a chain has said its last word', async () => {
    const told: string[] = []
    const sinks = [new Quick(told), new Slow(told, Infinity)]
    await play(new Session({ ...config(60), sinks }), sinks, UNBOUND)
    expect(told.slice(-4)).toEqual(['settled', 'finish', 'settled', 'quick finish'])
  })

  it('is stopped by a chain, and waits until that has let go', async () => {
    const told: string[] = []
    const sinks = [new Quick(told), new Slow(told, 1)]
    await expect(play(new Session({ ...config(60), sinks }), sinks, UNBOUND)).rejects.toThrow('the chain stops it')
    expect(told).toEqual(['quick abort', 'abort', 'settled'])
  })

  it('is interrupted while a chain is awaited', async () => {
    const told: string[] = []
    const sinks = [new Quick(told), new Stuck(told, Infinity)]
    const interruption = new AbortController()
    const played = play(new Session({ ...config(60), sinks }), sinks, { ...UNBOUND, signal: interruption.signal })
    setImmediate(() => { interruption.abort() })
    await expect(played).rejects.toThrow(Interrupted)
    expect(told).toEqual(['quick abort', 'abort'])
  })
})
