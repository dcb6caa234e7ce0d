import { PostingCause } from '../../../src/ledger/ledger.ts'
import { NONE } from '../../../src/unit/none.ts'
import { OutcomeEvent } from '../../../src/venue/outcome/protocol/events.ts'
import { feeOf, oddsOf } from './money.ts'
import { external, free, house, listOfLegs, move, pot, reserved, type Turn, write } from './rows.ts'
import { batchOf, outcomeOf } from './settlement.ts'
import { change, type Fill, heldOf, type Position, put } from './state.ts'

/** The fill of an entry is done: the pot holds net stake and risk. `told` writes that the operation is done. */
export function openPosition(turn: Turn, taker: number, fill: Fill, told: () => void): void {
  const { state, profile } = turn
  const { rfq, quote, acceptance, maker, stakeMicros, netStakeMicros, coreMicros, riskMicros, payoutMicros, feeBps, legs } = fill
  const number = ++state.lastPosition
  const entryFeeMicros = stakeMicros - netStakeMicros
  move(turn, PostingCause.deposit, external, reserved(taker), coreMicros, rfq)
  move(turn, PostingCause.commit, reserved(taker), pot(number), netStakeMicros, rfq)
  move(turn, PostingCause.takerFee, reserved(taker), house, entryFeeMicros, rfq)
  move(turn, PostingCause.commit, reserved(maker), pot(number), riskMicros, rfq)
  const outcome = outcomeOf(state, legs)
  put(state.positions, {
    number, rfq, quote, holder: taker, backer: maker, netStakeMicros, payoutMicros, costMicros: stakeMicros,
    basisMicros: profile.profitOverGross === 1 ? stakeMicros : netStakeMicros, entryFeeMicros, feeBps, legs, closing: false,
    settlesAtUs: outcome === null ? null : batchOf(profile, turn.atUs), lastRfq: NONE,
  })
  if (coreMicros > 0) write(turn, OutcomeEvent.fundsDeposited, {
    account: taker, amountMicros: coreMicros, accountBalanceMicros: heldOf(state, taker),
  })
  told()
  write(turn, OutcomeEvent.positionOpened, {
    holder: taker, backer: maker, rfq, quote, position: number, acceptance, oddsE4: oddsOf(payoutMicros, netStakeMicros),
    netStakeMicros, payoutMicros, takerFeeMicros: entryFeeMicros, profitFeeBps: feeBps, list: listOfLegs(legs),
  })
}

/** The backing maker takes its position back: the pot pays the price. */
export function closePosition(turn: Turn, seller: number, fill: Fill, told: () => void): void {
  const { state } = turn
  const position = state.positions.get(fill.position)!
  const { rfq, generation, quote, acceptance, payoutMicros: priceMicros } = fill
  const { number, backer, payoutMicros } = position
  const feeMicros = feeOfSale(turn, position, priceMicros)
  move(turn, PostingCause.buyback, pot(number), free(seller), priceMicros - feeMicros, rfq)
  move(turn, PostingCause.profitFee, pot(number), house, feeMicros, rfq)
  move(turn, PostingCause.buyback, pot(number), free(backer), payoutMicros - priceMicros, rfq)
  state.positions.delete(number)
  told()
  write(turn, OutcomeEvent.positionClosed, {
    holder: seller, backer, rfq, generation, quote, position: number, acceptance, priceMicros, toHolderMicros: priceMicros - feeMicros,
    profitFeeMicros: feeMicros, toBackerMicros: payoutMicros - priceMicros,
  })
}

/** Another maker takes the position over and pays the price. */
export function transferPosition(turn: Turn, seller: number, fill: Fill, told: () => void): void {
  const { state, profile } = turn
  const position = state.positions.get(fill.position)!
  const { rfq, generation, quote, acceptance, maker: buyer, payoutMicros: priceMicros } = fill
  const feeMicros = feeOfSale(turn, position, priceMicros)
  move(turn, PostingCause.transfer, reserved(buyer), free(seller), priceMicros - feeMicros, rfq)
  move(turn, PostingCause.profitFee, reserved(buyer), house, feeMicros, rfq)
  const basisMicros = profile.feeOnCashout === 1 ? priceMicros : position.basisMicros
  change(state.positions, position.number, { holder: buyer, costMicros: priceMicros, basisMicros, closing: false })
  told()
  write(turn, OutcomeEvent.positionTransferred, {
    seller, buyer, rfq, generation, quote, position: position.number, acceptance, priceMicros, toSellerMicros: priceMicros - feeMicros,
    profitFeeMicros: feeMicros,
  })
}

const feeOfSale = ({ profile }: Turn, { basisMicros, feeBps }: Position, priceMicros: number): number =>
  (profile.feeOnCashout === 1 ? feeOf(priceMicros - basisMicros, feeBps) : 0)
