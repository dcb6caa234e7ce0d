import { describe, expect, it } from 'vitest'
import { InstantBudget } from '../../src/agent/instantBudget.ts'
import { LOOKS_AGAIN_MAX, withoutEnd, withoutMarket } from '../../src/agent/looksAgain.ts'
import { MakerBook } from '../../src/agent/makerBook.ts'

const MOST = 3
const method = (): void => {}

function newBook(): MakerBook {
  const [board, port] = [{}, {}] as never[]
  return new MakerBook(0, 'a', 0, board!, 1, port!, undefined, undefined, undefined, new InstantBudget(MOST))
}

/** Commands one thing at an instant of its own, called for a reason. Whether it may. */
function acts(book: MakerBook, why: Parameters<MakerBook['hear']>[0]): boolean {
  book.nowUs++
  book.hear(why)
  try {
    book.act(method)
    return true
  } catch {
    return false
  }
}

describe('a maker commands in answer to answers', () => {
  it('as often as it may at one instant, and no more', () => {
    const book = newBook()
    expect(Array.from({ length: MOST + 1 }, () => acts(book, 'answer'))).toEqual([true, true, true, false])
  })

  it('and as often again once the market moved for it, and not where it was called because it asked', () => {
    const book = newBook()
    const all = ['answer', 'answer', 'asked', 'answer', 'asked', 'market', 'answer', 'answer', 'answer', 'asked', 'answer'] as const
    expect(all.map((why) => acts(book, why))).toEqual([true, true, true, true, true, true, true, true, true, true, false])
  })

  it('and counts on from where a checkpoint was taken', () => {
    const [book, restored] = [newBook(), newBook()]
    for (let i = 0; i < MOST; i++) acts(book, 'answer')
    restored.restore(book.snapshot())
    expect(acts(restored, 'answer')).toBe(false)
  })
})

it('what stops an endless participant says what it did, and begins at its own line', () => {
  expect(LOOKS_AGAIN_MAX).toBe(1_000_000)
  const endless = withoutEnd(LOOKS_AGAIN_MAX, 'request', method)
  expect(endless.message).toBe('it asks for ever to be called again: more than 1,000,000 times about one request')
  const answering = withoutMarket(100_000, method)
  expect(answering.message).toBe('it answers answers for ever: more than 100,000 commands in onAck while nothing else happened to it')
  const called = (error: Error): Error => error
  const asked = function asks(): Error { return called(withoutEnd(5, 'position', asks)) }
  expect(asked().stack).not.toContain('asks (')
})
