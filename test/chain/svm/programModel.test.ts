import fc from 'fast-check'
import type { PublicKey, TransactionInstruction } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { ChainPositionState, VaultInstruction } from '../../../src/chain/svm/layout.ts'
import { key, ProgramHarness, tokensOf } from './programHarness.ts'
import { type ModelCommand, VaultModel } from './vaultModel.ts'
import { expectSolvent, hexOf, snapshotOf } from './vaultSnapshot.ts'

const NAMES = ['a', 'b', 'c', 'd'] as const
const POSITIONS = Array.from({ length: 16 }, (_, i) => `p${i}`)
const WALLET = 50_000_000n
const TREASURY = key('treasury')

const user = fc.constantFrom(...NAMES)
const name = fc.constantFrom(...POSITIONS)
const amount = fc.oneof(
  { weight: 14, arbitrary: fc.bigInt(1n, 6_000_000n) }, { weight: 1, arbitrary: fc.bigInt(0n, 3n) },
  { weight: 1, arbitrary: fc.bigInt(20_000_000n, 2n ** 64n - 1n) },
)
/** How far the number of a step is from the right one. */
const offset = fc.oneof({ weight: 9, arbitrary: fc.constant(0n) }, { weight: 1, arbitrary: fc.constantFrom(-2n, -1n, 1n) })
const pick = fc.nat(999)
/** Whether a trade is of an open position and its parties, if there is one, or of anything. */
const right = fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) })

type Draw = (model: VaultModel) => ModelCommand
/** A sequence number, never below zero. */
const step = (last: bigint, by: bigint): bigint => (last + 1n + by < 0n ? 0n : last + 1n + by)

const draws: fc.Arbitrary<Draw> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('deposit', 'withdraw'), user, amount, offset }).map((r): Draw =>
    (m) => ({ kind: r.kind, user: r.user, amount: r.amount, sequence: step(m.users.get(r.user)!.sequence, r.offset) })) },
  { weight: 1, arbitrary: fc.record({ user, on: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }) }).map((r): Draw => () => ({ kind: 'delegate', ...r })) },
  { weight: 1, arbitrary: user.map((who): Draw => (m) => lastStepOf(m, who)) },
  { weight: 1, arbitrary: fc.constantFrom(1n, 43_200n, 86_399n).map((seconds): Draw => () => ({ kind: 'wait', seconds })) },
  { weight: 9, arbitrary: fc.record({
    name, holder: user, backer: user, gross: amount, risk: amount, takerFeeBps: fc.bigInt(0n, 10_000n), profitFeeBps: fc.bigInt(0n, 10_000n),
    flags: fc.nat(3),
  }).map((r): Draw => () => ({ kind: 'open', ...r })) },
  { weight: 2, arbitrary: fc.record({ pick, name, right, holder: user, backer: user, outcome: fc.constantFrom('lost', 'won', 'void') })
    .map((r): Draw => (m) => ({ kind: 'settle', outcome: r.outcome, ...partiesOf(m, r) })) },
  { weight: 2, arbitrary: fc.record({ pick, name, right, holder: user, backer: user, price: amount })
    .map((r): Draw => (m) => ({ kind: 'buyback', price: r.price, ...partiesOf(m, r) })) },
  { weight: 6, arbitrary: fc.record({ pick, name, right, holder: user, backer: user, price: amount, offset }).map((r): Draw => (m) => {
    const { name: position, holder: seller } = partiesOf(m, r)
    const sequence = step(m.positions.get(position)?.transfers ?? 0n, r.offset)
    return { kind: 'transfer', name: position, seller, buyer: r.backer, price: r.price, sequence }
  }) },
  { weight: 2, arbitrary: fc.record({ amount: fc.bigInt(0n, 300_000n), offset }).map((r): Draw =>
    (m) => ({ kind: 'collect', amount: r.amount, sequence: step(m.collections, r.offset) })) },
)

/** The last deposit or withdrawal of a user, as it was. */
function lastStepOf(model: VaultModel, who: string): ModelCommand {
  const { last, sequence } = model.users.get(who)!
  const [kind, amount] = last.split(' ')
  return { kind: kind as 'deposit' | 'withdraw', user: who, amount: BigInt(amount!), sequence }
}

interface TradeDraw {
  readonly pick: number
  readonly name: string
  readonly right: boolean
  readonly holder: string
  readonly backer: string
}

/** An open position with its parties, where there is one and the draw is `right`; else any name with any parties. */
function partiesOf(model: VaultModel, { pick: at, name: any, right: isRight, holder, backer }: TradeDraw): Omit<TradeDraw, 'pick' | 'right'> {
  const open = [...model.positions].filter(([, { end }]) => end === 'open')
  if (!isRight || open.length === 0) return { name: any, holder, backer }
  const [name, position] = open[at % open.length]!
  return { name, holder: position.holder, backer: position.backer }
}

function instructionOf(harness: ProgramHarness, model: VaultModel, c: Exclude<ModelCommand, { kind: 'wait' }>): TransactionInstruction {
  const { program } = harness
  switch (c.kind) {
    case 'deposit': return harness.deposit(key(c.user), c.amount, c.sequence)
    case 'withdraw': return harness.withdraw(key(c.user), c.amount, model.isDelegated(c.user), c.sequence)
    case 'delegate': return program.setDelegation(key(c.user), program.user(key(c.user)), c.on)
    case 'open': {
      const takerFeeMicros = (c.gross * c.takerFeeBps) / 10_000n
      return harness.open(c.name, key(c.holder), key(c.backer), {
        stakeMicros: c.gross - takerFeeMicros, riskMicros: c.risk, takerFeeMicros, takerFeeBps: Number(c.takerFeeBps),
        profitFeeBps: Number(c.profitFeeBps), flags: c.flags,
      })
    }
    case 'settle': return harness.settle(c.name, key(c.holder), key(c.backer), c.outcome)
    case 'buyback': return harness.buyback(c.name, key(c.holder), key(c.backer), c.price)
    case 'transfer': return harness.transfer(c.name, key(c.seller), key(c.buyer), c.price, c.sequence)
    case 'collect': return program.collect(tokensOf(TREASURY), c.amount, c.sequence)
  }
}

/** What the chain holds, in the model's words. */
function chainState(harness: ProgramHarness, model: VaultModel): object {
  const vault = snapshotOf(harness)
  expectSolvent(harness, vault)
  expect(vault.positions.size).toBe(model.positions.size)
  const amountOf = (address: PublicKey): bigint => vault.tokens.get(hexOf(address))!.amount
  const users = [...model.users.keys()].map((who) => {
    const { balanceMicros: balance, sequence, lastTag, lastMicros, delegatedUntilS } = vault.users.get(hexOf(harness.program.user(key(who))))!
    const last = `${lastTag === VaultInstruction.deposit ? 'deposit' : 'withdraw'} ${lastMicros}`
    return [who, { balance, wallet: amountOf(tokensOf(key(who))), sequence, last, delegatedUntilS }]
  })
  const positions = [...model.positions.keys()].map((position) => {
    const found = vault.positions.get(hexOf(harness.positionAt(position)))!
    return [position, {
      holder: hexOf(found.holder), backer: hexOf(found.backer), stake: found.stakeMicros, risk: found.riskMicros,
      takerFee: found.takerFeeMicros, basis: found.basisMicros, transfers: found.transfers, state: found.state, price: found.priceMicros,
    }]
  })
  const { houseMicros: house, owedMicros: owed, collectSequence: collections, deposits } = vault.config
  return { house, owed, collections, deposits, treasury: amountOf(tokensOf(TREASURY)), users, positions }
}

function modelState(model: VaultModel): object {
  const { house, collections, deposits, treasury } = model
  const positions = [...model.positions].map(([position, { holder, backer, stake, risk, takerFee, basis, transfers, end, price }]) => [position, {
    holder: hexOf(key(holder)), backer: hexOf(key(backer)), stake, risk, takerFee, basis, transfers, state: ChainPositionState[end], price,
  }])
  return { house, owed: model.owed(), collections, deposits, treasury, users: [...model.users], positions }
}

/** Runs drawn commands against vault and model at once. Tells how often each kind was taken, and the reasons of those that were not. */
function play(steps: readonly Draw[], taken: Map<string, number>, refused: Set<string>): void {
  const harness = ProgramHarness.initialized()
  const model = new VaultModel()
  harness.setTokens(tokensOf(TREASURY), TREASURY)
  for (const who of NAMES) {
    harness.makeUser(who, 0n, WALLET)
    model.addUser(who, WALLET)
    model.apply({ kind: 'deposit', user: who, amount: 30_000_000n, sequence: 1n })
    harness.mustSend(harness.deposit(key(who), 30_000_000n))
  }
  for (const draw of steps) {
    const command = draw(model)
    if (command.kind === 'wait') {
      model.apply(command)
      harness.setClock(model.nowS)
      continue
    }
    const instruction = instructionOf(harness, model, command)
    const expected = model.apply(command)
    expect({ command, error: harness.send(instruction).error }).toEqual({ command, error: expected })
    expect(chainState(harness, model)).toEqual(modelState(model))
    if (expected === null) taken.set(command.kind, (taken.get(command.kind) ?? 0) + 1)
    else refused.add(expected)
  }
}

it('does what a plain model does, and owes exactly its tokens, after every instruction', () => {
  const taken = new Map<string, number>()
  const refused = new Set<string>()
  const runs = fc.array(draws, { minLength: 120, maxLength: 120 })
  // Smaller failures say no more: the command that fails is shown.
  fc.assert(fc.property(runs, (steps) => play(steps, taken, refused)), { seed: 20_261_121, numRuns: 20, endOnFailure: true })
  for (const kind of ['deposit', 'withdraw', 'delegate', 'open', 'settle', 'buyback', 'transfer', 'collect']) {
    expect({ kind, often: taken.get(kind)! > 50 }).toEqual({ kind, often: true })
  }
  expect([...refused]).toEqual(expect.arrayContaining([
    'buyerIsBacker', 'insufficientBalance', 'insufficientTokens', 'notDelegated', 'positionEnded', 'positionEndedOtherwise',
    'positionHasOtherTerms', 'priceAbovePayout', 'sameAccount', 'sequenceDone', 'sequenceGap', 'sequenceHasOtherTerms', 'sumOverflow', 'wrongOwner', 'wrongWallet',
    'zeroAmount',
  ]))
})
