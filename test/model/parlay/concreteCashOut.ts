import { NONE } from '../../../src/unit/none.ts'
import { ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { AuctionState } from '../../../src/venue/parlay/protocol/events.ts'
import { isNearClose } from './auctions.ts'
import { obstacleOf } from './cashOut.ts'
import type { ModelCommand } from './command.ts'
import type { Intent } from './intents.ts'
import { buybackBoundOf } from './money.ts'
import { accountOf, ACCOUNTS, BIDS_ONLY, type Fields, flawOf, NEVER_NUMBER, ownerOr, pickOf, type Scene } from './scene.ts'
import { activeAuctionOn, type Auction, bestBidOf, holderOf, isFenced, openPositions, type Position, type State } from './state.ts'

/** Cash-out commands that intents become. */
export const activeAuctions = (state: State): Auction[] =>
  [...state.auctions.values()].filter((auction) => auction.state === AuctionState.active)

const isInTime = (scene: Scene, position: Position): boolean => !isNearClose({ ...scene, atUs: scene.nowUs }, position)

/** Positions on which an auction can open now. */
export const sellable = (scene: Scene): Position[] => openPositions(scene.state).filter((position) =>
  position.isFunded && position.settlesAtUs === null && activeAuctionOn(scene.state, position.number) === undefined &&
  isInTime(scene, position))

/** Auctions that take bids now. */
export const biddable = (scene: Scene): Auction[] =>
  activeAuctions(scene.state).filter((auction) => isInTime(scene, scene.state.positions.get(auction.position)!))

/** Those of the biddable auctions that have a live bid. */
export const salable = (scene: Scene): Auction[] => biddable(scene).filter((auction) => bestBidOf(scene.state, auction.number) !== null)

const isBidSound = (scene: Scene, { number, position }: Auction): boolean =>
  obstacleOf(scene, scene.state.positions.get(position)!, bestBidOf(scene.state, number)!) === null

/** Those of the salable auctions that a commit would sell now, fault of the chain aside. */
export const soldByCommit = (scene: Scene): Auction[] =>
  salable(scene).filter((auction) => !isFenced(scene.state, auction.seller) && isBidSound(scene, auction))

export function openCashout(intent: Intent, scene: Scene): Fields {
  const ready = sellable(scene)
  const others = [...scene.state.positions.values()]
  const position = pickOf(intent.flaw < 75 && ready.length > 0 ? ready : others, intent.pick)
  const fields = { position: position?.number ?? NEVER_NUMBER }
  const flaws: Partial<ModelCommand>[] = [{ position: NaN }, { position: 0.5 }, { position: 0 }, { position: NEVER_NUMBER }]
  return [ParlayOp.openCashout, ownerOr(intent, position && holderOf(position)), { ...fields, ...flawOf(intent, 95, flaws) }]
}

export function submitBid(intent: Intent, scene: Scene): Fields {
  const { state, profile } = scene
  const auction = auctionFor(intent, scene, biddable(scene))
  if (auction === undefined) return [ParlayOp.submitBid, accountOf(intent), { auction: NEVER_NUMBER, amountMicros: 1 }]
  const position = state.positions.get(auction.position)!
  const isBacker = intent.who % 7 < 3 && position.backer !== auction.seller
  const others = ACCOUNTS.filter((account) => account !== auction.seller && account !== BIDS_ONLY)
  const maker = intent.who % 17 === 16 ? BIDS_ONLY : isBacker ? position.backer : pickOf(others, intent.who)!
  const { stakeMicros, payoutMicros } = position
  const bound = buybackBoundOf(position, profile.buybackBoundGrossedUp === 1)
  const middle = Math.floor((stakeMicros + payoutMicros) / 2)
  const prices = [
    stakeMicros, middle, bound, 1, Math.ceil(stakeMicros / 2), stakeMicros + 1, stakeMicros - 1, bound + (isBacker ? 0 : 1), middle,
    payoutMicros,
  ]
  // Where the bound is checked at the commit alone, a bid above it is taken.
  const isOver = isBacker && profile.buybackBoundAtBid === 0 && intent.amount % 4 === 0
  const validities = [NONE, profile.bidValidityMinMs, 15_000, profile.bidValidityMaxMs]
  const fields = {
    auction: auction.number,
    amountMicros: isOver ? payoutMicros : Math.min(payoutMicros, Math.max(1, prices[intent.amount % prices.length]!)),
    validMs: validities[intent.pick % validities.length]!,
  }
  const flaws: Partial<ModelCommand>[] = [
    { amountMicros: payoutMicros + 1 }, { amountMicros: bound + 1 }, { amountMicros: payoutMicros }, { amountMicros: 0 },
    { amountMicros: NONE }, { amountMicros: 1.5 }, { amountMicros: NaN }, { validMs: profile.bidValidityMinMs - 1 }, { validMs: profile.bidValidityMaxMs + 1 },
    { validMs: 7_000.5 }, { auction: 0.5 }, { auction: 0 }, { validMs: 0 },
  ]
  const account = intent.flaw % 25 === 24 ? auction.seller : maker
  return [ParlayOp.submitBid, account, { ...fields, ...flawOf(intent, 82, flaws) }]
}

export function commitCashout(intent: Intent, scene: Scene): Fields {
  const sound = soldByCommit(scene)
  const unsound = salable(scene).filter((one) => !isBidSound(scene, one))
  const wanted = intent.flaw < 55 ? sound : unsound
  const auction = auctionFor(intent, scene, wanted.length > 0 ? wanted : salable(scene))
  const best = auction === undefined ? null : bestBidOf(scene.state, auction.number)
  const price = best?.priceMicros ?? 1
  const amountMicros = [NONE, NONE, price, Math.max(1, price - 1)][intent.amount % 4]!
  const flaws: Partial<ModelCommand>[] = [
    { amountMicros: price + 1 }, { amountMicros: 0 }, { amountMicros: -2 }, { amountMicros: 0.5 }, { amountMicros: NaN }, { auction: NaN },
    { auction: NEVER_NUMBER },
  ]
  const fields = { auction: auction?.number ?? NEVER_NUMBER, amountMicros }
  return [ParlayOp.commitCashout, ownerOr(intent, auction?.seller), { ...fields, ...flawOf(intent, 88, flaws) }]
}

export function cancelCashout(intent: Intent, scene: Scene): Fields {
  const auction = auctionFor(intent, scene, activeAuctions(scene.state))
  const number = auction?.number ?? NEVER_NUMBER
  return [ParlayOp.cancelCashout, ownerOr(intent, auction?.seller), { auction: intent.flaw === 99 ? NaN : number }]
}

/** One that is ready, when none is any known one; now and then one that is not ready. */
function auctionFor(intent: Intent, { state }: Scene, ready: readonly Auction[]): Auction | undefined {
  const all = [...state.auctions.values()]
  const rest = all.filter((auction) => !ready.includes(auction))
  const isOther = (intent.flaw >= 60 && intent.flaw < 67) || ready.length === 0
  return pickOf(isOther && rest.length > 0 ? rest : ready, intent.pick)
}
