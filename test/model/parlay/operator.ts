import { MarketResult } from '../../../src/market/sides.ts'
import { NONE } from '../../../src/unit/none.ts'
import { ParlayCode } from '../../../src/venue/parlay/protocol/codes.ts'
import { ParlayEvent } from '../../../src/venue/parlay/protocol/events.ts'
import type { ModelCommand } from './command.ts'
import type { Answer, EventKind } from './namedRows.ts'
import { isIntegerIn } from './numbers.ts'
import { type Turn, write } from './rows.ts'
import { scheduleSettlements } from './settlement.ts'

const MARKET_MAX = 1_048_575
/** Most entries of a command's list. */
export const LIST_MAX = 1_024

/** Lists a new market, replaces a listed one, brings a delisted one back. */
export function listMarket(turn: Turn, command: ModelCommand): Answer {
  const { closeUs, list, listCount } = command
  // A market of −0 is market 0.
  const number = command.market + 0
  if (!isIntegerIn(number, 0, MARKET_MAX) || !(Number.isInteger(closeUs) && closeUs > 0) || !isIntegerIn(listCount, 0, LIST_MAX)) {
    return { code: ParlayCode.invalid }
  }
  const known = turn.state.markets.get(number)
  if (known !== undefined && known.result !== NONE) return { code: ParlayCode.conflict }
  turn.state.markets.set(number, { number, closeUs, keys: [...list], listed: true, halted: false, result: NONE })
  write(turn, ParlayEvent.marketListed, { market: number, closeUs, list: [...list] })
  return { code: ParlayCode.ok }
}

export const haltMarket = (turn: Turn, command: ModelCommand): Answer => changeListed(turn, command, ParlayEvent.marketHalted)
export const resumeMarket = (turn: Turn, command: ModelCommand): Answer => changeListed(turn, command, ParlayEvent.marketResumed)
export const delistMarket = (turn: Turn, command: ModelCommand): Answer => changeListed(turn, command, ParlayEvent.marketDelisted)

function changeListed(turn: Turn, command: ModelCommand, event: EventKind<'marketHalted' | 'marketResumed' | 'marketDelisted'>): Answer {
  if (!Number.isInteger(command.market)) return { code: ParlayCode.invalid }
  const market = turn.state.markets.get(command.market)
  if (market === undefined || !market.listed) return { code: ParlayCode.notFound }
  if (market.result !== NONE) return { code: ParlayCode.conflict }
  if (event === ParlayEvent.marketHalted) market.halted = true
  if (event === ParlayEvent.marketResumed) market.halted = false
  if (event === ParlayEvent.marketDelisted) market.listed = false
  write(turn, event, { market: market.number })
  return { code: ParlayCode.ok }
}

/** Gives a market its result; the positions that it decides settle at rank 4 of this instant. */
export function resolveMarket(turn: Turn, command: ModelCommand): Answer {
  if (!Number.isInteger(command.market) || !isIntegerIn(command.value, MarketResult.no, MarketResult.void)) {
    return { code: ParlayCode.invalid }
  }
  const market = turn.state.markets.get(command.market)
  if (market === undefined) return { code: ParlayCode.notFound }
  if (market.result !== NONE) return { code: ParlayCode.conflict }
  // A result of −0 is 0; fees and faults as well.
  market.result = command.value + 0
  write(turn, ParlayEvent.marketResolved, { market: market.number, result: market.result })
  scheduleSettlements(turn)
  return { code: ParlayCode.ok }
}

export function setFees(turn: Turn, command: ModelCommand): Answer {
  if (!isIntegerIn(command.value, 0, 10_000) || !isIntegerIn(command.value2, 0, 10_000)) return { code: ParlayCode.invalid }
  const takerFeeBps = command.value + 0
  const profitFeeBps = command.value2 + 0
  turn.state.takerFeeBps = takerFeeBps
  turn.state.profitFeeBps = profitFeeBps
  write(turn, ParlayEvent.feesChanged, { takerFeeBps, profitFeeBps })
  return { code: ParlayCode.ok }
}

export function setFault(turn: Turn, command: ModelCommand): Answer {
  if (!isIntegerIn(command.value, 1, 8) || !isIntegerIn(command.value2, 0, 1)) return { code: ParlayCode.invalid }
  const others = turn.state.faults.filter((fault) => fault !== command.value)
  turn.state.faults = command.value2 === 1 ? [...others, command.value] : others
  write(turn, ParlayEvent.faultChanged, { fault: command.value, isOn: command.value2 + 0 })
  return { code: ParlayCode.ok }
}

const ACCOUNT_MAX = 16_777_215

/** Puts an account's wallet on record or takes it off. */
export function setWallet(turn: Turn, command: ModelCommand): Answer {
  const account = command.value + 0
  const isOn = command.value2 + 0
  if (!isIntegerIn(account, 0, ACCOUNT_MAX) || !isIntegerIn(isOn, 0, 1)) return { code: ParlayCode.invalid }
  const others = turn.state.walletsOff.filter((other) => other !== account)
  turn.state.walletsOff = isOn === 1 ? others : [...others, account]
  write(turn, ParlayEvent.walletChanged, { account, isOnRecord: isOn })
  return { code: ParlayCode.ok }
}
