import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VaultOutcome } from '../../../src/chain/evm/abi.ts'
import { type Draw, drawsOf, oneOf } from '../../draws.ts'
import { noAnvil, skipped } from './bundledAnvil.ts'
import { type Party, partyOf, START_S, VaultStage, WALLET_MICROS } from './contractHarness.ts'
import { cashoutOf, entryAt, fillOf, positionIdOf, reductionIdOf, reductionOf, saleAt, withdrawalOf } from './signedTrades.ts'
import { VaultModel } from './vaultModel.ts'

const STEPS = 200
const DELAY_S = 1000
const TREASURY = '0x00000000000000000000000000000000000000fe'
const parties = [1, 2, 3, 4].map((number) => partyOf(`party ${number}`, number))
const OUTCOMES = ['lost', 'won', 'void'] as const
/** Mostly sums that an account may have, at times more. */
const AMOUNT_MAX = 300_000_000

/** Why the vault may refuse what the model does not do. */
const REFUSALS: Readonly<Record<string, readonly string[]>> = {
  depositWithAuthorization: ['InsufficientBalance'], fill: ['InsufficientBalance'], cashout: ['InsufficientBalance', 'PositionNotOpen'],
  resolve: ['AlreadyResolved', 'ResolvedOtherwise', 'PositionNotOpen'], settleMany: ['AlreadyResolved', 'ResolvedOtherwise', 'PositionNotOpen'],
  claim: ['AlreadyClaimed', 'PositionNotWon'], withdraw: ['InsufficientBalance'], withdrawExit: ['InsufficientBalance'], reduce: ['InsufficientBalance'],
  release: ['ReductionNotDue', 'UnknownReduction', 'AlreadyReleased'], collect: ['InsufficientHouse'],
}

/** One step of the vault and the model: the call, and whether the model does it. */
interface Step {
  readonly functionName: string
  readonly args: readonly unknown[]
  readonly isDone: boolean
}

/** Draws calls that are well formed and signed; whether there is money for them, or it is their time, is the model's to say. */
class Play {
  private readonly draw: Draw
  private readonly model: VaultModel
  private readonly stage: VaultStage
  private last = 0

  constructor(stage: VaultStage, model: VaultModel, seed: number) {
    this.stage = stage
    this.model = model
    this.draw = drawsOf(seed)
  }

  next(): Step {
    const kinds = [
      () => this.deposit(), () => this.fill(), () => this.fill(), () => this.sale(), () => this.settlement(), () => this.settlement(),
      () => this.claim(), () => this.withdrawal(), () => this.reduction(), () => this.release(), () => this.collection(),
    ]
    return oneOf(this.draw, kinds)()
  }

  private amount(): bigint {
    return BigInt(1 + this.draw(this.draw(AMOUNT_MAX) + 1))
  }

  private party(): Party {
    return oneOf(this.draw, parties)
  }

  private deposit(): Step {
    const [party, amount] = [this.party(), this.amount()]
    const args = this.stage.depositOf(party, amount, `deposit ${++this.last}`)
    return { functionName: 'depositWithAuthorization', args, isDone: this.model.deposit(party.name, amount) }
  }

  private fill(): Step {
    const taker = this.party()
    const maker = oneOf(this.draw, parties.filter((party) => party !== taker))
    const number = ++this.last
    const stake = this.amount() + 1n
    const takerFeeBps = BigInt(this.draw(500))
    const netStake = stake - (stake * takerFeeBps) / 10_000n
    const core = this.draw(2) === 0 ? 0n : BigInt(this.draw(Number(stake) + 1))
    const terms = { stake, payout: netStake + this.amount(), takerFeeBps, feeBps: BigInt(this.draw(2000)), core }
    const entry = entryAt(this.stage.nowS, taker, maker, { number, netStake, ...terms })
    return { functionName: 'fill', args: [fillOf(this.stage, entry)], isDone: this.model.fill(number, taker.name, maker.name, terms) }
  }

  /** A position that there is, or was. */
  private position(): number {
    const numbers = [...this.model.positions.keys()]
    return numbers.length === 0 ? 0 : oneOf(this.draw, numbers)
  }

  private sale(): Step {
    const position = this.position()
    if (position === 0) return this.deposit()
    const { holder, payout, feeBps } = this.model.positions.get(position)!
    const seller = parties.find(({ name }) => name === holder)!
    const maker = oneOf(this.draw, parties.filter((party) => party !== seller))
    const price = BigInt(1 + this.draw(Number(payout)))
    const sale = saleAt(this.stage.nowS, seller, maker, { number: ++this.last, position, price, feeBps })
    return { functionName: 'cashout', args: [cashoutOf(this.stage, sale)], isDone: this.model.sell(position, maker.name, price) }
  }

  private settlement(): Step {
    const number = this.position()
    if (number === 0) return this.deposit()
    const outcome = oneOf(this.draw, OUTCOMES)
    const functionName = oneOf(this.draw, ['resolve', 'settleMany'])
    const isDone = this.model.resolve(number, outcome)
    if (isDone && outcome === 'won' && functionName === 'settleMany') this.model.claim(number)
    return { functionName, args: [[positionIdOf(number)], [VaultOutcome[outcome]]], isDone }
  }

  private claim(): Step {
    const won = [...this.model.positions].filter(([, { state }]) => state === 'won').map(([number]) => number)
    const number = won.length > 0 && this.draw(4) > 0 ? oneOf(this.draw, won) : this.position()
    return { functionName: 'claim', args: [positionIdOf(number)], isDone: number !== 0 && this.model.claim(number) }
  }

  private withdrawal(): Step {
    const [party, amount, key] = [this.party(), this.amount(), ++this.last]
    const exit = this.draw(2) === 0 ? {} : { exitExpiryS: this.stage.nowS + 60 }
    const args = withdrawalOf(this.stage, party, { amount, key, ...exit })
    return { functionName: 'exitExpiryS' in exit ? 'withdrawExit' : 'withdraw', args, isDone: this.model.withdraw(party.name, amount) }
  }

  private reduction(): Step {
    const [party, amount, number] = [this.party(), this.amount(), ++this.last]
    return {
      functionName: 'reduce', args: reductionOf(this.stage, party, amount, number),
      isDone: this.model.reduce(number, party.name, amount, this.stage.nowS, DELAY_S),
    }
  }

  private release(): Step {
    const numbers = [...this.model.reductions.keys()]
    const number = numbers.length === 0 ? 0 : oneOf(this.draw, numbers)
    return { functionName: 'release', args: [reductionIdOf(number)], isDone: this.model.release(number, this.stage.nowS) }
  }

  private collection(): Step {
    const amount = BigInt(1 + this.draw(Number(this.model.house) * 2 + 2))
    return { functionName: 'collect', args: [amount, TREASURY], isDone: this.model.collect(amount) }
  }
}

describe.skipIf(noAnvil)(`what the vault owes${skipped}`, () => {
  let stage: VaultStage
  beforeAll(async () => { stage = await VaultStage.open() })
  afterAll(() => stage.close())

  it.each([
    { seed: 1, feeOnCashout: false, profitOverGross: false },
    { seed: 5, feeOnCashout: true, profitOverGross: true },
  ])('is what a plain account of it says, and what it has, after each of many steps: $seed', async ({ seed, ...flags }) => {
    const on = stage.with(await stage.deployVault(stage.usdc.address, { ...flags, reductionDelay: BigInt(DELAY_S) }))
    const model = new VaultModel(flags)
    for (const party of parties) {
      await on.admit(party, 0n)
      model.wallets.set(party.name, await on.tokensOf(party.wallet.address))
      expect(model.deposit(party.name, WALLET_MICROS / 4n)).toBe(true)
      await on.send('depositWithAuthorization', on.depositOf(party, WALLET_MICROS / 4n, 'start'))
    }
    const play = new Play(on, model, seed)
    const done = new Map<string, number>()
    on.nowS = Math.max(START_S + 1000, on.nowS)
    for (let step = 0; step < STEPS; step++) {
      await on.at(on.nowS + 60)
      const { functionName, args, isDone } = play.next()
      if (!isDone) {
        const name = (await on.refusal(functionName, args))?.name ?? 'none'
        expect([seed, step, functionName, name, REFUSALS[functionName]!.includes(name)]).toEqual([seed, step, functionName, name, true])
        continue
      }
      await on.send(functionName, args)
      done.set(functionName, (done.get(functionName) ?? 0) + 1)
      const owed = model.owed()
      expect([seed, step, functionName, ...await on.books(...parties)]).toEqual(
        [seed, step, functionName, ...parties.map(({ name }) => model.money(name)), model.house, owed, owed])
    }
    for (const { name, wallet } of parties) expect(await on.tokensOf(wallet.address)).toBe(model.wallets.get(name))
    // Every kind of step was among them.
    expect([...done.keys()].sort()).toEqual(
      ['cashout', 'claim', 'collect', 'depositWithAuthorization', 'fill', 'reduce', 'release', 'resolve', 'settleMany', 'withdraw', 'withdrawExit'])
    stage.nowS = on.nowS
  })
})
