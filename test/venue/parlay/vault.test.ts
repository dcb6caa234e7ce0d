import { describe, expect, it } from 'vitest'
import { FIRST_GATE_OP, FIRST_PARTICIPANT_OP } from '../../../src/venue/contract.ts'
import { ACCOUNT_MAX, PARLAY_OP_NAMES, ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { Driver, type Row, sec, table, usd } from './driver.ts'

describe('deposits', () => {
  it('credit the vault and make it (readings A35)', () => {
    const d = new Driver()
    expect(d.view.balance(7)).toEqual({
      freeMicros: 0, reservedMicros: 0, lockedMicros: 0, grossMicros: 0, hasVault: false, fenced: false,
    })
    d.deposit(7, 5)
    d.deposit(7, usd(2))
    expect(d.rows).toEqual([
      { event: 'fundsDeposited', at: 0, cause: 2, account: 7, amountMicros: 2_000_000, grossBalanceMicros: 2_000_005 },
      { event: 'reply', at: 0, cause: 2, account: 7, op: 'deposit', code: 'ok' },
    ])
    expect(d.moved).toEqual(['deposit: external -> free 7 2000000'])
    expect(d.view.balance(7)).toEqual({
      freeMicros: 2_000_005, reservedMicros: 0, lockedMicros: 0, grossMicros: 2_000_005, hasVault: true, fenced: false,
    })
  })

  it.each([[0, 'invalid'], [1, 'ok'], [1.5, 'invalid'], [-1, 'invalid'], [Number.NaN, 'invalid'], [1e15, 'ok'], [1e15 + 1, 'invalid']])(
    'of %d microUSDC is %s', (amount, code) => {
      expect(new Driver().deposit(0, amount).code).toBe(code)
    },
  )

  it('INV-01 stop where no sum of the vault can leave the safe integers: 4,000,000,000 USDC net', () => {
    const d = new Driver()
    for (let account = 0; account < 4; account++) expect(d.deposit(account, 1e15).code).toBe('ok')
    expect(d.deposit(9, 1).code).toBe('invalid')
    expect(d.view.balance(9).hasVault).toBe(false)
    d.withdraw(0, 1)
    expect(d.deposit(9, 2).code).toBe('invalid')
    expect(d.deposit(9, 1).code).toBe('ok')
  })

  it('takes account numbers up to 2²⁰ − 1', () => {
    const d = new Driver()
    d.deposit(1_048_575, 3)
    expect([d.free(1_048_575), d.free(1_048_574)]).toEqual([3, 0])
  })
})

describe('accounts', () => {
  const participants = Object.entries(ParlayOp).filter(([, op]) => op >= FIRST_PARTICIPANT_OP && op < FIRST_GATE_OP)
  const operators = Object.entries(ParlayOp).filter(([, op]) => op < FIRST_PARTICIPANT_OP)

  it.each<[number, number | undefined]>([
    [400_000_000, 400_000_000], [1e300, 1e300], [Number.NaN, undefined], [0.5, 0.5], [-2, -2], [ACCOUNT_MAX + 1, 16_777_216], [Infinity, Infinity],
  ])('of number %d are invalid to every command, before everything else', (account, shown) => {
    const d = table()
    d.open(10, 20, 4)
    d.pulse()
    const before = d.venue.stateHash()
    for (const [name, op] of [...participants, ...operators]) {
      const legs = [[1, 'yes'], [2, 'no']] as const
      const answer = d.send(name as keyof typeof ParlayOp, account, { request: 1, auction: 1, position: 1, amountMicros: 1, betMicros: usd(1) }, legs)
      const row = { event: 'reply', at: 0, cause: d.seq, op: PARLAY_OP_NAMES[op], code: 'invalid' }
      expect(answer).toEqual(shown === undefined ? row : { ...row, account: shown })
      expect(d.rows.length).toBe(1)
    }
    expect(d.venue.stateHash()).toBe(before)
  })

  it('end at 16777215; nobody, −1, is invalid to participants\' commands and good for operators\'', () => {
    const d = table()
    expect(ACCOUNT_MAX).toBe(16_777_215)
    expect(d.send('submitTransaction', ACCOUNT_MAX)!.code).toBe('ok')
    for (const [name] of participants) expect(d.send(name as keyof typeof ParlayOp, -1, { amountMicros: 1 })!.code).toBe('invalid')
    expect(d.send('haltMarket', -1, { market: 1 })!.code).toBe('ok')
  })
})

describe('withdrawals', () => {
  it.each([[0, 'invalid'], [1, 'ok'], [1_000_000_000_000, 'ok'], [1_000_000_000_001, 'invalid'], [0.5, 'invalid']])(
    'PQ-214 of %d microUSDC is %s', (amount, code) => {
      const d = new Driver()
      d.deposit(7, 2_000_000_000_000)
      expect(d.withdraw(7, amount).code).toBe(code)
    },
  )

  it('PQ-222 PQ-223 404 without a vault; an emptied vault is one', () => {
    const d = new Driver()
    expect(d.withdraw(7, 1).code).toBe('noVault')
    expect(d.withdraw(7, 0).code).toBe('invalid')
    d.deposit(7, 1)
    expect(d.withdraw(7, 1).code).toBe('ok')
    expect(d.withdraw(7, 1).code).toBe('insufficientFunds')
    expect(d.view.balance(7).hasVault).toBe(true)
  })

  it('PQ-229 above the free balance by one micro-unit is refused (readings A36)', () => {
    const d = new Driver()
    d.deposit(7, 100)
    expect(d.withdraw(7, 101).code).toBe('insufficientFunds')
    d.withdraw(7, 100)
    expect(d.rows[0]).toEqual({ event: 'fundsWithdrawn', at: 0, cause: 3, account: 7, amountMicros: 100, grossBalanceMicros: 0 })
    expect(d.moved).toEqual(['withdraw: free 7 -> external 100'])
  })

  it('PQ-218 PQ-219 INV-23 never touch what is reserved or in pots', () => {
    const d = table()
    d.create(10)
    d.submit(20, 1, 4)
    d.commit(10, 1)
    expect(d.withdraw(10, usd(975) + 1).code).toBe('insufficientFunds')
    expect(d.withdraw(20, 925_750_001).code).toBe('insufficientFunds')
    d.confirm(20, 1, 1)
    expect(d.withdraw(20, 925_750_001).code).toBe('insufficientFunds')
    expect(d.withdraw(20, 925_750_000).code).toBe('ok')
    expect(d.view.balance(20)).toMatchObject({ freeMicros: 0, lockedMicros: 74_250_000, grossMicros: 74_250_000 })
  })

  it('PQ-297 PQ-298 are told with the gross balance after them: free, reserved and backed risk', () => {
    const d = table()
    d.open(10, 20, 4)
    d.create(10)
    d.submit(20, 2, 3)
    d.commit(10, 2)
    // 74.25 back the position and 49.50 are reserved; 25 went into the bettor's pot, 25 are reserved.
    d.deposit(20, usd(5))
    expect(d.of('fundsDeposited')).toMatchObject([{ account: 20, amountMicros: usd(5), grossBalanceMicros: usd(1005) }])
    d.withdraw(20, usd(6))
    expect(d.of('fundsWithdrawn')).toMatchObject([{ account: 20, amountMicros: usd(6), grossBalanceMicros: usd(999) }])
    expect(d.view.balance(20)).toMatchObject({ freeMicros: usd(999 - 123.75), lockedMicros: usd(123.75), grossMicros: usd(999) })
    d.withdraw(10, usd(1))
    expect(d.of('fundsWithdrawn')).toMatchObject([{ account: 10, amountMicros: usd(1), grossBalanceMicros: usd(974) }])
    d.fault('mirrorBehind', 1)
    d.withdraw(20, usd(9))
    d.fault('mirrorBehind', 0)
    d.pulse(sec(10))
    // The miss of the selection at 5 s has freed 49.50; 9 left.
    expect(d.of('fundsWithdrawn')).toMatchObject([{ account: 20, amountMicros: usd(9), grossBalanceMicros: usd(990) }])
  })

  it('PQ-223 a maker\'s first filled position makes its vault', () => {
    const d = new Driver({ betMinMicros: 1 }).listMarkets(2)
    d.deposit(10, 1)
    // A stake of 1 at 1.0001 pays 1, so the maker risks nothing and needs no deposit.
    d.open(10, 20, 1.0001, [[1, 'yes'], [2, 'yes']], 1)
    expect(d.view.balance(20)).toMatchObject({ hasVault: true, grossMicros: 0 })
    d.resolve(1, 'no')
    d.pulse()
    expect(d.free(20)).toBe(1)
  })
})

describe('one account on both sides', () => {
  it.each<['yes' | 'no' | 'void', number]>([['yes', 999_007_500], ['no', 999_750_000], ['void', 1_000_000_000]])(
    'PQ-011 INV-01 pays itself when the leg is %s: %d left', (result, left) => {
      const d = table()
      d.open(20, 20, 4, [[1, 'yes'], [2, 'yes']])
      expect(d.view.balance(20)).toMatchObject({ freeMicros: 900_750_000, lockedMicros: 74_250_000 })
      d.resolve(1, result)
      d.resolve(2, 'yes')
      d.pulse()
      expect(d.view.balance(20)).toEqual({
        freeMicros: left, reservedMicros: 0, lockedMicros: 0, grossMicros: left, hasVault: true, fenced: false,
      })
    },
  )

  it('INV-10 a miss gives both parts back', () => {
    const d = table()
    d.create(20)
    d.submit(20, 1, 4)
    d.commit(20, 1)
    expect(d.balances(20)).toEqual([[900_750_000, 99_250_000]])
    d.pulse(sec(5))
    expect(d.balances(20)).toEqual([[usd(1000), 0]])
  })
})

describe('the network', () => {
  /** The bettor is account 1, the maker account 2; their free and reserved balances after the step, in USDC. */
  type Step = [what: string, play: (d: Driver) => unknown, bettor: [number, number], maker: [number, number]]
  const STEPS: Step[] = [
    ['deposit', (d) => [1, 2].map((account) => d.deposit(account, usd(1000))), [1000, 0], [1000, 0]],
    ['createRequest', (d) => d.create(1), [1000, 0], [1000, 0]],
    ['updateRequest', (d) => d.update(1, 1), [1000, 0], [1000, 0]],
    ['submitQuote', (d) => d.submit(2, 1, 4), [1000, 0], [1000, 0]],
    ['withdrawQuote', (d) => d.withdrawQuote(2, 1), [1000, 0], [1000, 0]],
    ['submitQuote', (d) => d.submit(2, 1, 4), [1000, 0], [1000, 0]],
    ['commitRequest', (d) => d.commit(1, 1), [975, 25], [925.75, 74.25]],
    ['declineSelection', (d) => d.decline(2, 1, 2), [1000, 0], [1000, 0]],
    ['submitQuote', (d) => d.submit(2, 1, 4), [1000, 0], [1000, 0]],
    ['commitRequest', (d) => d.commit(1, 1), [975, 25], [925.75, 74.25]],
    ['confirmSelection', (d) => d.confirm(2, 1, 3), [975, 0], [925.75, 0]],
    ['createRequest', (d) => d.create(1), [975, 0], [925.75, 0]],
    ['cancelRequest', (d) => d.cancel(1, 2), [975, 0], [925.75, 0]],
    ['openCashout', (d) => d.cashout(1, 1), [975, 0], [925.75, 0]],
    ['cancelCashout', (d) => d.cancelCashout(1, 1), [975, 0], [925.75, 0]],
    ['openCashout', (d) => d.cashout(1, 1), [975, 0], [925.75, 0]],
    ['submitBid', (d) => d.bid(3, 2, usd(24.75)), [975, 0], [925.75, 0]],
    ['deposit', (d) => d.deposit(3, usd(24.75)), [975, 0], [925.75, 0]],
    // At the stake there is no profit to take a fee from.
    ['commitCashout', (d) => d.sell(1, 2), [999.75, 0], [925.75, 0]],
    ['submitTransaction', (d) => d.send('submitTransaction', 1), [999.75, 0], [925.75, 0]],
    ['walletWithdraw', (d) => d.send('walletWithdraw', 1, { amountMicros: usd(0.75) }), [999, 0], [925.75, 0]],
    ['withdraw', (d) => [d.withdraw(1, usd(999)), d.withdraw(2, usd(925.75))], [0, 0], [0, 0]],
  ]

  it('PQ-028 PQ-029 costs nothing: each command completes with USDC alone and moves no more than its own money', () => {
    const d = new Driver().listMarkets(2)
    for (const [what, play, bettor, maker] of STEPS) {
      const refused = [play(d)].flat().filter((reply) => reply !== undefined && (reply as Row).code !== 'ok')
      expect([what, refused, d.balances(1, 2)]).toEqual([what, [], [bettor, maker].map((balances) => balances.map(usd))])
    }
    const played = new Set(STEPS.map(([what]) => what))
    const participants = Object.entries(ParlayOp).filter(([, op]) => op >= FIRST_PARTICIPANT_OP && op < FIRST_GATE_OP).map(([name]) => name)
    expect(participants.filter((name) => !played.has(name))).toEqual([])
    // They have nothing left, and the position pays its buyer all the same: 99 less 1 % of its profit of 74.25.
    d.resolve(1, 'yes')
    d.resolve(2, 'no')
    d.pulse()
    expect(d.balances(1, 2, 3)).toEqual([[0, 0], [0, 0], [98_257_500, 0]])
  })
})
