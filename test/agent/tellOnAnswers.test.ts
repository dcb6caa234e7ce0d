import { expect, it } from 'vitest'
import { FACADES } from '../../src/agent/facades/facades.ts'
import { FakePrices } from '../../src/agent/fakePrices.ts'
import { InstantBudget } from '../../src/agent/instantBudget.ts'
import { MakerBook } from '../../src/agent/makerBook.ts'
import type { MakerPort } from '../../src/agent/makerPort.ts'

it('a line of a log is no command in answer to an answer, and withdrawing a quote is', () => {
  const lines: string[] = []
  const port = { logged: (_seat: number, text: string) => { lines.push(text) }, withdrawQuote: () => {} } as Partial<MakerPort> as MakerPort
  const book = new MakerBook(0, 'mine', 1, new FakePrices(1), 1, port, undefined, undefined, undefined, new InstantBudget(2))
  const desk = FACADES.makerDesk(book)
  const answered = (nowUs: number, act: () => void): void => {
    book.wake(nowUs)
    book.hear('answer')
    act()
  }
  for (let nowUs = 1; nowUs <= 10; nowUs++) answered(nowUs, () => { desk.log('heard') })
  expect(lines).toHaveLength(10)
  answered(11, () => { desk.withdrawQuote(1) })
  answered(12, () => { desk.withdrawQuote(1) })
  expect(() => { answered(13, () => { desk.withdrawQuote(1) }) }).toThrow(/answer/)
})
