import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AccountKind, Ledger, PostingCause } from '../../src/ledger/ledger.ts'
import { PostingField, PostingRows } from '../../src/ledger/postingRows.ts'
import { Bug } from '../../src/unit/assert.ts'

const { external, free, reserved, pot, escrow, house } = AccountKind
const BETTOR = 3
const MAKER = 4
const SLOT = 0
const POSITION = 41
const REQUEST = 17

function fixture(): { rows: PostingRows; ledger: Ledger; move: Move } {
  const rows = new PostingRows({ next: 1 }, 1)
  const ledger = new Ledger(rows)
  const move: Move = (cause, debitKind, debitIndex, creditKind, creditIndex, amount) =>
    ledger.post(1000, cause, debitKind, debitIndex, creditKind, creditIndex, amount, REQUEST, POSITION)
  return { rows, ledger, move }
}

type Move = (cause: number, debitKind: number, debitIndex: number, creditKind: number, creditIndex: number, amount: number) => void

const row = (rows: PostingRows, i: number): Record<string, number> =>
  Object.fromEntries(Object.entries(PostingField).map(([name, field]) => [name, rows.get(i, field)]))

describe('Ledger', () => {
  it('INV-29 balances after each posting, and writes each with its cause', () => {
    const { rows, ledger, move } = fixture()
    const steps: (() => void)[] = [
      () => move(PostingCause.deposit, external, 0, free, BETTOR, 100_000_000),
      () => move(PostingCause.deposit, external, 0, free, MAKER, 500_000_000),
      () => move(PostingCause.hold, free, BETTOR, reserved, BETTOR, 25_000_000),
      () => move(PostingCause.commit, reserved, BETTOR, pot, SLOT, 24_750_000),
      () => move(PostingCause.takerFee, reserved, BETTOR, escrow, SLOT, 250_000),
      () => move(PostingCause.commit, free, MAKER, pot, SLOT, 74_250_000),
      () => move(PostingCause.settle, pot, SLOT, free, BETTOR, 99_000_000),
      () => move(PostingCause.takerFee, escrow, SLOT, house, 0, 250_000),
      () => move(PostingCause.withdraw, free, BETTOR, external, 0, 174_000_000),
    ]
    steps.forEach((step, i) => {
      step()
      expect(ledger.totalMicros()).toBe(0)
      expect(rows.count).toBe(i + 1)
    })
    expect(ledger.freeMicros(BETTOR)).toBe(0)
    expect(ledger.freeMicros(MAKER)).toBe(425_750_000)
    expect([ledger.reservedMicros(BETTOR), ledger.potMicros(SLOT), ledger.escrowMicros(SLOT)]).toEqual([0, 0, 0])
    expect(ledger.houseMicros()).toBe(250_000)
    expect(ledger.netDepositsMicros()).toBe(426_000_000)
    expect(row(rows, 4)).toEqual({
      seq: 5, atUs: 1000, service: 1, cause: PostingCause.takerFee, debitKind: reserved, debitOwner: BETTOR,
      creditKind: escrow, creditOwner: POSITION, amountMicros: 250_000, request: REQUEST,
    })
    expect([rows.get(0, PostingField.debitOwner), rows.get(7, PostingField.creditOwner)]).toEqual([-1, -1])
  })

  it('stops the run on an overdraft and leaves everything as it was', () => {
    const { rows, ledger, move } = fixture()
    move(PostingCause.deposit, external, 0, free, BETTOR, 10)
    expect(() => move(PostingCause.hold, free, BETTOR, reserved, BETTOR, 11)).toThrow(Bug)
    expect(() => move(PostingCause.settle, pot, SLOT, free, BETTOR, 1)).toThrow(Bug)
    expect(() => move(PostingCause.withdraw, house, 0, external, 0, 1)).toThrow(Bug)
    expect([ledger.freeMicros(BETTOR), ledger.reservedMicros(BETTOR), ledger.totalMicros(), rows.count]).toEqual([10, 0, 0, 1])
    move(PostingCause.hold, free, BETTOR, reserved, BETTOR, 10)
    expect(ledger.freeMicros(BETTOR)).toBe(0)
  })

  it('posts whole positive amounts only, and no row for nothing', () => {
    const { rows, ledger, move } = fixture()
    for (const amount of [-1, 0.5, NaN, 2 ** 53]) {
      expect(() => move(PostingCause.deposit, external, 0, free, BETTOR, amount)).toThrow(Bug)
    }
    move(PostingCause.deposit, external, 0, free, BETTOR, 0)
    expect(rows.count).toBe(0)
    move(PostingCause.deposit, external, 0, free, BETTOR, Number.MAX_SAFE_INTEGER)
    expect(() => move(PostingCause.deposit, external, 0, free, BETTOR, 1)).toThrow(Bug)
    expect(ledger.freeMicros(BETTOR)).toBe(Number.MAX_SAFE_INTEGER)
  })

  it('changes no balance when an account pays itself, but writes the row', () => {
    const { rows, ledger, move } = fixture()
    move(PostingCause.deposit, external, 0, free, BETTOR, 10)
    move(PostingCause.transfer, free, BETTOR, free, BETTOR, 10)
    expect([ledger.freeMicros(BETTOR), ledger.totalMicros(), rows.count]).toEqual([10, 0, 2])
    expect(() => move(PostingCause.transfer, free, BETTOR, free, BETTOR, 11)).toThrow(Bug)
  })

  it('makes room for accounts, positions and rows as they come', () => {
    const { rows, ledger, move } = fixture()
    const small = new Ledger(new PostingRows({ next: 1 }, 1, 1), 1)
    small.ensureAccounts(5000)
    small.ensurePositions(3000)
    small.post(1, PostingCause.deposit, external, 0, free, 4999, 7, -1, -1)
    small.post(1, PostingCause.commit, free, 4999, pot, 2999, 7, -1, 1)
    expect([small.freeMicros(4999), small.potMicros(2999), small.totalMicros()]).toEqual([0, 7, 0])
    for (let i = 0; i < 9000; i++) move(PostingCause.deposit, external, 0, free, BETTOR, 1)
    expect([rows.count, rows.get(8999, PostingField.seq), ledger.freeMicros(BETTOR)]).toEqual([9000, 9000, 9000])
  })

  it('reads 0 where no account is yet', () => {
    const { ledger } = fixture()
    expect([ledger.freeMicros(10 ** 6), ledger.reservedMicros(10 ** 6), ledger.potMicros(10 ** 6), ledger.escrowMicros(10 ** 6)])
      .toEqual([0, 0, 0, 0])
  })

  it('goes back to a snapshot', () => {
    const { ledger, move } = fixture()
    move(PostingCause.deposit, external, 0, free, BETTOR, 100)
    move(PostingCause.hold, free, BETTOR, reserved, BETTOR, 40)
    const image = ledger.snapshot()
    move(PostingCause.release, reserved, BETTOR, free, BETTOR, 40)
    move(PostingCause.takerFee, free, BETTOR, house, 0, 5)
    ledger.restore(image)
    expect([ledger.freeMicros(BETTOR), ledger.reservedMicros(BETTOR), ledger.houseMicros(), ledger.totalMicros()]).toEqual([60, 40, 0, 0])
    move(PostingCause.release, reserved, BETTOR, free, BETTOR, 40)
    const other = fixture().ledger
    other.restore(structuredClone(image))
    expect(other.snapshot()).toEqual(image)
    expect(other.reservedMicros(BETTOR)).toBe(40)
  })

  it('INV-01 INV-29 conserves money under any postings: balances are what the rows say', () => {
    const kinds = [external, free, free, reserved, pot, escrow, house]
    const posting = fc.record({
      debit: fc.constantFrom(...kinds), credit: fc.constantFrom(...kinds), from: fc.nat({ max: 3 }), to: fc.nat({ max: 3 }),
      amount: fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 10 ** 12 })),
    })
    fc.assert(
      fc.property(fc.array(posting, { maxLength: 120 }), (postings) => {
        const { rows, ledger } = fixture()
        const model = new Map<string, number>()
        const single = (kind: number): boolean => kind === external || kind === house
        for (const { debit, credit, from, to, amount } of postings) {
          const debitIndex = single(debit) ? 0 : from
          const creditIndex = single(credit) ? 0 : to
          const [debitKey, creditKey] = [`${debit} ${debitIndex}`, `${credit} ${creditIndex}`]
          const balance = model.get(debitKey) ?? 0
          const post = (): void => ledger.post(1, PostingCause.transfer, debit, debitIndex, credit, creditIndex, amount, -1, 9)
          if (debit !== external && balance < amount) expect(post).toThrow(Bug)
          else {
            post()
            model.set(debitKey, balance - amount)
            model.set(creditKey, (model.get(creditKey) ?? 0) + amount)
          }
          expect(ledger.totalMicros()).toBe(0)
        }
        for (let i = 0; i < 4; i++) {
          expect(ledger.freeMicros(i)).toBe(model.get(`${free} ${i}`) ?? 0)
          expect(ledger.reservedMicros(i)).toBe(model.get(`${reserved} ${i}`) ?? 0)
          expect(ledger.potMicros(i)).toBe(model.get(`${pot} ${i}`) ?? 0)
          expect(ledger.escrowMicros(i)).toBe(model.get(`${escrow} ${i}`) ?? 0)
        }
        let deposits = 0
        for (let i = 0; i < rows.count; i++) {
          const amount = rows.get(i, PostingField.amountMicros)
          if (rows.get(i, PostingField.debitKind) === external) deposits += amount
          if (rows.get(i, PostingField.creditKind) === external) deposits -= amount
        }
        expect(ledger.netDepositsMicros()).toBe(deposits)
        expect(ledger.houseMicros()).toBe(model.get(`${house} 0`) ?? 0)
      }),
    )
  })
})
