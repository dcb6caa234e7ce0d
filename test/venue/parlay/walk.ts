import type { Draw } from '../../draws.ts'
import { type Driver, type Leg, ms, type Row, sec, usd } from './driver.ts'
import { SetFault } from '../../../src/venue/contract.ts'

const ACCOUNTS = 6
const MARKETS = 200

/** Deposits and markets that a walk starts from. */
export function startWalk(d: Driver): void {
  for (let market = 0; market < MARKETS; market++) d.list(market, [market >> 1], sec(4000))
  for (let account = 0; account < ACCOUNTS; account++) d.deposit(account, usd(300))
}

/** Plays one random command, good or bad, a random while later; its reply, or undefined while it waits. */
export function stepWalk(d: Driver, draw: Draw): Row | undefined {
  d.at(d.now + [0, 0, 0, 1, ms(200), ms(200), sec(1), draw(4) === 0 ? sec(20) : sec(5)][draw(8)]!)
  const account = draw(ACCOUNTS)
  const request = Math.max(1, d.lastRequest - draw(3))
  const known = d.view.request(request)
  const bets = [usd(1), usd(25), 1_000_099, usd(100), usd(101)]
  switch (draw(16)) {
    case 0: case 14: return d.create(account, legsOf(d, draw), bets[draw(5)])
    case 1: return d.update(known && draw(4) > 0 ? known.owner : account, request, legsOf(d, draw), bets[draw(4)])
    case 2: return draw(4) === 0 ? d.cancel(known?.owner ?? account, request) : d.withdrawQuote(account, request)
    case 3: case 4: case 5: case 6:
      return d.submit(account, request, 0, { oddsE4: [10_001, 15_000, 20_000, 20_001, 35_555, 9_999][draw(6)]!, validMs: [-1, 5_000, 60_000][draw(3)]! })
    case 7: case 8: case 9: return d.commit(known?.owner ?? account, request, { oddsE4: 10_001 + draw(2) * 9_000 }, draw(3) === 0 ? [draw(ACCOUNTS)] : [])
    case 10: case 11: case 12: case 13: {
      const quote = known?.pendingQuote ?? -1
      const maker = d.view.quote(quote)?.maker ?? account
      return draw(4) === 0 ? d.decline(maker, request, quote) : d.confirm(maker, request, quote)
    }
    case 15: return draw(3) > 0 ? operate(d, draw) : draw(2) === 0 ? d.deposit(account, 1 + draw(usd(9))) : d.withdraw(account, 1 + draw(usd(50)))
    default: throw new Error('a draw beyond the table')
  }
}

function operate(d: Driver, draw: Draw): Row | undefined {
  // An operator's command comes before participants' of its instant.
  d.at(d.now + 1)
  const market = Math.max(0, d.lastRequest - 4 + draw(8))
  switch (draw(8)) {
    case 0: return d.setFees(draw(300), draw(300))
    case 1: return d.send('setFault', 0, { [SetFault.fault]: 1 + draw(8), [SetFault.isOn]: draw(8) === 0 ? 1 : 0 })
    case 2: return d.halt(market)
    case 3: return d.send('resumeMarket', 0, { market })
    case 4: return draw(2) === 0 ? d.list(market, [draw(9)], d.now + sec(500)) : d.send('delistMarket', 0, { market: 99 })
    case 5: return draw(6) === 0 ? d.send('delistMarket', 0, { market }) : d.send('resumeMarket', 0, { market })
    default: return draw(4) > 0 ? d.resolve(market, (['yes', 'no', 'void'] as const)[draw(3)]!) : d.send('haltMarket', 0, { market: 99 })
  }
}

/** Legs on markets of a window that moves on with the requests; results come in its wake. */
function legsOf(d: Driver, draw: Draw): Leg[] {
  return Array.from({ length: 2 + draw(2) }, () => [d.lastRequest + draw(12), draw(2) === 0 ? 'no' : 'yes'] as const)
}
