import { NONE } from '../../../src/unit/none.ts'
import { ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { AuctionState, PositionState, RequestState } from '../../../src/venue/parlay/protocol/events.ts'
import type { RequestView } from '../../../src/venue/parlay/protocol/view.ts'
import type { Intent, IntentKind } from './intents.ts'
import { accountOf, type Maker, pickOf, type Scene } from './scene.ts'
import { SetFault } from '../../../src/venue/contract.ts'

/** Commands for the venue: proper ones, so that rows come of them which raise events. */
export const TRADES: Partial<Record<IntentKind, Maker>> = {
  deposit: (intent) => [ParlayOp.deposit, accountOf(intent), { amountMicros: intent.flaw < 95 ? 1_000_000 + intent.amount : 0 }],
  withdraw: (intent) => [ParlayOp.withdraw, accountOf(intent), { amountMicros: 1 + intent.amount }],
  walletWithdraw: (intent) => [ParlayOp.walletWithdraw, accountOf(intent), { amountMicros: 1 + intent.amount }],
  submitTransaction: (intent) => [ParlayOp.submitTransaction, accountOf(intent)],
  createRequest(intent, { trade, nowUs }) {
    const markets = [...trade.markets]
    if (markets.length < 4) return [ParlayOp.listMarket, 0, { market: trade.nextMarket, closeUs: nowUs + 1e13 }]
    const legs = [0, 1].map((i) => [pickOf(markets, intent.pick + i)!, (intent.amount >> i) & 1] as const)
    return [ParlayOp.createRequest, accountOf(intent), { legs, betMicros: 2_000_000 + intent.amount }]
  },
  updateRequest(intent, scene) {
    const request = pickOf(open(scene), intent.pick)
    if (request === undefined) return 'createRequest'
    const legs = request.legs.map(({ market, side }) => [market, side] as const)
    return [ParlayOp.updateRequest, request.owner, { request: request.number, legs, betMicros: 3_000_000 }]
  },
  cancelRequest(intent, scene) {
    const request = pickOf(open(scene), intent.pick)
    if (request === undefined) return 'createRequest'
    return [ParlayOp.cancelRequest, request.owner, { request: request.number }]
  },
  submitQuote(intent, scene) {
    const request = pickOf(open(scene), intent.pick)
    if (request === undefined) return 'createRequest'
    const { number, version, contentTag } = request
    return [ParlayOp.submitQuote, accountOf(intent), { request: number, version, contentTag, oddsE4: 20_000 + (intent.amount % 20_000) }]
  },
  withdrawQuote(intent, scene) {
    const request = pickOf(quoted(scene), intent.pick)
    if (request === undefined) return 'submitQuote'
    return [ParlayOp.withdrawQuote, scene.trade.makerOf(request.bestQuote) ?? accountOf(intent), { request: request.number }]
  },
  commitRequest(intent, scene) {
    const request = pickOf(quoted(scene), intent.pick)
    if (request === undefined) return 'submitQuote'
    const { number, version, bestQuote, bookSeq, owner } = request
    return [ParlayOp.commitRequest, owner, { request: number, version, quote: bestQuote, bookSeq, oddsE4: 10_001 }]
  },
  confirmSelection: (intent, scene) => answerSelection(ParlayOp.confirmSelection, intent, scene),
  declineSelection: (intent, scene) => answerSelection(ParlayOp.declineSelection, intent, scene),
  openCashout(intent, scene) {
    const sold = new Set(auctions(scene).map(({ position }) => position))
    const position = pickOf(funded(scene).filter(({ number }) => !sold.has(number)), intent.pick)
    if (position === undefined) return 'confirmSelection'
    return [ParlayOp.openCashout, position.holder, { position: position.number }]
  },
  submitBid(intent, scene) {
    const auction = pickOf(auctions(scene), intent.pick)
    if (auction === undefined) return 'openCashout'
    const other = accountOf(intent)
    const bidder = intent.amount % 2 === 0 || other === auction.seller ? auction.backer : other
    return [ParlayOp.submitBid, bidder, { auction: auction.number, amountMicros: 1_000_000 + (intent.amount % 1_000_000) }]
  },
  commitCashout(intent, scene) {
    const auction = pickOf(auctions(scene).filter(({ bestBid }) => bestBid !== NONE), intent.pick)
    if (auction === undefined) return 'submitBid'
    return [ParlayOp.commitCashout, auction.seller, { auction: auction.number }]
  },
  cancelCashout(intent, scene) {
    const auction = pickOf(auctions(scene), intent.pick)
    if (auction === undefined) return 'openCashout'
    return [ParlayOp.cancelCashout, auction.seller, { auction: auction.number }]
  },
  resolveMarket(intent, scene) {
    const legs = funded(scene).flatMap((position) => position.legs).filter(({ market }) => scene.trade.markets.has(market))
    const leg = pickOf(legs, intent.pick)
    if (leg === undefined) return 'openCashout'
    const value = intent.amount % 10 < 7 ? leg.side : intent.amount % 10 < 9 ? 1 - leg.side : 2
    return [ParlayOp.resolveMarket, 0, { market: leg.market, value }]
  },
  setFault(intent, { trade }) {
    const [on] = trade.faults
    return [ParlayOp.setFault, 0, on === undefined ? { [SetFault.fault]: 3 + (intent.pick % 3), [SetFault.isOn]: 1 } : { [SetFault.fault]: on, [SetFault.isOn]: 0 }]
  },
}

function answerSelection(op: number, intent: Intent, scene: Scene): ReturnType<Maker> {
  const request = pickOf(open(scene, true), intent.pick)
  if (request === undefined) return 'commitRequest'
  const maker = scene.trade.makerOf(request.pendingQuote) ?? accountOf(intent)
  return [op, maker, { request: request.number, quote: request.pendingQuote }]
}

const open = ({ trade }: Scene, isPending = false): RequestView[] => trade.requests()
  .filter(({ state, pendingQuote }) => state === RequestState.active && (pendingQuote !== NONE) === isPending)
const quoted = (scene: Scene): RequestView[] => open(scene).filter(({ bestQuote }) => bestQuote !== NONE)
const funded = ({ trade }: Scene) => trade.positions().filter(({ state }) => state === PositionState.executed)
const auctions = ({ trade }: Scene) => trade.auctions().filter(({ state }) => state === AuctionState.active)
