import { describe, expect, it } from 'vitest'
import { MessageKind } from '../../src/engine/messages.ts'
import * as messageCells from '../../src/engine/messageCells.ts'
import { allSources, code, lineOf, type Source } from './sources.ts'

/** Which names the cells of a message of each kind have. Kinds that are not here have no cells, or are written by their number alone. */
const NAMES_OF: Readonly<Record<string, readonly (keyof typeof messageCells)[]>> = {
  arrival: ['ArrivalMessage'], request: ['RequestMessage'], later: ['RequestMessage'], best: ['RequestMessage'],
  selected: ['SelectionMessage'], decideLater: ['SelectionMessage'], bidTaken: ['BidTakenMessage'], ack: ['AckMessage'],
  opened: ['PositionMessage'], settled: ['PositionMessage'], auction: ['AuctionMessage'], bestBid: ['AuctionMessage'],
  bought: ['HeldMessage'], heldEnded: ['HeldMessage'], heldSold: ['HeldMessage'], heldReply: ['HeldMessage'], heldBid: ['HeldMessage'],
  heldAuctionEnded: ['HeldMessage'], heldCheck: ['HeldMessage'], bestToBettor: ['BestMessage'], refused: ['RefusedMessage'],
  holdingOpened: ['HoldingMessage'], check: ['HoldingMessage'], bidToSeller: ['HoldingMessage'], auctionEnded: ['HoldingMessage'],
  cashOutReply: ['HoldingMessage'], listened: ['HoldingMessage'], answer: ['WebhookMessage'], redelivery: ['WebhookMessage'], stream: ['StreamMessage'],
  call: ['CallMessage'], callAnswered: ['CallMessage'], wake: ['CallMessage'], timer: ['TimerMessage'], price: ['RequestMessage'], requestOver: ['RequestMessage'], backedPrice: ['PositionMessage'], heldPrice: ['HeldMessage'], holdingPrice: ['HoldingMessage'], holdingSettled: ['HoldingMessage'], command: ['CommandMessage', 'CashOutMessage', 'SignedMessage'],
}

/** A message that is made of a kind, by `take` itself or by a method that takes the kind. */
const MADE = /\bconst (\w+) = [\w.]+\(MessageKind\.(\w+)/g

const methodsOf = (bare: string): { text: string; at: number }[] =>
  [...bare.matchAll(/^(?: {2})?\S[^]*?(?=^(?: {2})?[^\s}]|$(?![^]))/gm)].map(({ 0: text, index }) => ({ text, at: index }))

/** The cells that a method writes in a message of one kind by the names of another. */
function objections({ path, text }: Source): string[] {
  const bare = code(text)
  return methodsOf(bare).flatMap(({ text: method, at }) => [...method.matchAll(MADE)].flatMap(({ 1: message, 2: kind, index: made }) =>
    [...method.slice(made).matchAll(new RegExp(`\\b${message} \\+ (\\w+Message)\\.`, 'g'))]
      .filter(([, names]) => !(NAMES_OF[kind!] ?? []).includes(names as keyof typeof messageCells))
      .map(({ 1: names, index }) => `${path}:${lineOf(bare, at + made + index)} ${kind} by ${names}`)))
}

describe('the cells of a message', () => {
  it('are written by the names of its kind where it is made', () => {
    const sources = allSources('src/engine')
    expect(sources.flatMap(({ text }) => [...code(text).matchAll(MADE)]).length).toBeGreaterThan(30)
    expect(sources.flatMap(objections)).toEqual([])
  })

  it('have names of kinds that there are', () => {
    expect(Object.keys(NAMES_OF).filter((kind) => !Object.hasOwn(MessageKind, kind))).toEqual([])
    expect(Object.values(NAMES_OF).flat().filter((names) => !Object.hasOwn(messageCells, names))).toEqual([])
  })

  it.each([
    ['  selected() {\n    const slot = messages.take(MessageKind.selected, seat)\n    messages.cells[slot + PositionMessage.request] = request', ['a.ts:3 selected by PositionMessage']],
    ['  tell() {\n    const reply = this.messageTo(MessageKind.heldReply, row)\n    cells[reply + HoldingMessage.retryAfterUs] = 5', ['a.ts:3 heldReply by HoldingMessage']],
    ['  tell() {\n    const slot = messages.take(MessageKind.keyRenewal, seat)\n    cells[slot + CallMessage.serial] = 5', ['a.ts:3 keyRenewal by CallMessage']],
    ['  tell() {\n    const slot = messages.take(MessageKind.ack, seat)\n    cells[slot + AckMessage.quote] = cells[message + CommandMessage.quote]', []],
    ['  one() {\n    const slot = messages.take(MessageKind.ack, seat)\n  }\n\n  two(slot: number) {\n    cells[slot + BestMessage.quote] = 5\n  }', []],
  ])('%j: %j', (text, said) => {
    expect(objections({ path: 'a.ts', text })).toEqual(said)
  })
})
