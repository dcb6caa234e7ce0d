import { type Leg, sec, usd } from '../../venue/parlay/driver.ts'
import type { Draw } from '../../draws.ts'
import { type FlushedDriver, mirroredTable, type Take } from './parlayMirror.ts'

const ACCOUNTS = [10, 11, 20, 21, 22]
const MARKETS = 40
const FAULTS = ['chainUnclear', 'chainDropped', 'mirrorBehind'] as const
const RESULTS = ['yes', 'yes', 'yes', 'no', 'void'] as const
const SIDES = ['yes', 'yes', 'yes', 'no'] as const

export interface WalkTerms {
  /** Whether an account may fill its own request, as the service lets it. */
  readonly hasSelfFills?: boolean
}

/** A random walk of money: fills, sales, results, deposits, withdrawals and faults of the chain, well and badly timed. Everything ends before the walk does. */
export function walk(take: Take, draw: Draw, steps: number, { hasSelfFills = true }: WalkTerms = {}): FlushedDriver {
  const d = mirroredTable(take, { chainRecoveryMs: 4_000, mirrorRecoveryMs: 2_000, settlementRetryMs: 3_000 }, MARKETS)
  const live: number[] = []
  const one = <T>(of: readonly T[]): T => of[draw(of.length)]!
  for (let step = 0; step < steps; step++) {
    d.at(d.now + [1, 1, sec(0.2), sec(0.7), sec(2), sec(6)][draw(6)]!)
    switch (draw(12)) {
      case 0: case 1: case 2: case 3: {
        const first = 1 + draw(MARKETS - 1)
        const legs: Leg[] = [[first, one(SIDES)], [first + 1, one(SIDES)]]
        const [bettor, maker] = [one(ACCOUNTS), one(ACCOUNTS)]
        if (bettor === maker && !hasSelfFills) break
        const position = openedBy(d, bettor, maker, [1.5, 3.3333, 8][draw(3)]!, legs, [usd(5), 7_123_457, usd(60)][draw(3)]!)
        if (position !== undefined) live.push(position)
        break
      }
      case 4: case 5: case 6: {
        if (live.length > 0) sell(d, one(live.slice(-8)), one(ACCOUNTS), [usd(2), usd(7), 22_222_221][draw(3)]!)
        break
      }
      case 7: case 8:
        d.resolve(1 + draw(MARKETS), one(RESULTS))
        d.at(d.now + 1).pulse()
        break
      case 9:
        d.deposit(one(ACCOUNTS), 1 + draw(usd(50)))
        break
      case 10:
        d.withdraw(one(ACCOUNTS), 1 + draw(usd(200)))
        break
      default:
        d.fault(one(FAULTS), draw(3) === 0 ? 1 : 0)
    }
  }
  d.at(d.now + sec(1))
  for (const fault of FAULTS) d.fault(fault, 0)
  d.pulse(d.now + sec(60))
  return d
}

/** Undefined where a step of it is refused. */
function openedBy(d: FlushedDriver, bettor: number, maker: number, odds: number, legs: readonly Leg[], betMicros: number): number | undefined {
  const request = d.create(bettor, legs, betMicros)['request'] as number | undefined
  if (request === undefined || request < 0) return undefined
  const quote = d.submit(maker, request, odds)['quote'] as number | undefined
  if (quote === undefined) return undefined
  d.commit(bettor, request)
  return d.confirm(maker, request, quote)['position'] as number | undefined
}

function sell(d: FlushedDriver, position: number, buyer: number, priceMicros: number): void {
  const seller = d.view.position(position)?.holder
  if (seller === undefined) return
  const auction = d.cashout(seller, position)['auction'] as number | undefined
  if (auction === undefined) return
  d.bid(buyer, auction, priceMicros)
  d.sell(seller, auction)
}
