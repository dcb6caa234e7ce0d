import { Action } from '../../agent/vocabulary.ts'
import { NONE } from '../../unit/none.ts'
import { compareLimbs } from '../../venue/outcome/protocol/outcomeId.ts'
import { needsKey } from '../../venue/outcome/protocol/access.ts'
import type { OutcomeCommand } from '../../venue/outcome/protocol/commands.ts'
import type { Cohorts } from '../cohorts.ts'
import { CashOutMessage, CommandMessage, SignedMessage } from '../messageCells.ts'
import { type Messages, MessageWord } from '../messages.ts'
import { FUNDING_S, type OutcomeEnricher } from './enricher.ts'
import { opOf } from './translation.ts'

/** Turns participants' messages into commands of the outcome service. */
export class CommandWriter {
  private declare readonly messages: Messages
  private declare readonly cohorts: Cohorts
  private declare readonly enricher: OutcomeEnricher
  private declare readonly isGated: boolean
  /** Place of each market's outcome_id among all, as integers (readings B13). */
  private declare readonly rankOfMarket: Int32Array

  constructor(parts: {
    messages: Messages; cohorts: Cohorts; enricher: OutcomeEnricher; outcomeIds: readonly (readonly number[])[]; isGated: boolean
  }) {
    const { outcomeIds } = parts
    this.messages = parts.messages
    this.cohorts = parts.cohorts
    this.enricher = parts.enricher
    this.isGated = parts.isGated
    this.rankOfMarket = new Int32Array(outcomeIds.length)
    const markets = outcomeIds.map((_, market) => market).sort((a, b) => compareLimbs(outcomeIds[a]!, outcomeIds[b]!))
    markets.forEach((market, rank) => { this.rankOfMarket[market] = rank })
  }

  /** Fills `command` with what message `message` wants: its credential and its sequence number are the caller's. */
  fill(message: number, command: OutcomeCommand): void {
    const { words, cells } = this.messages
    const action = words[message + MessageWord.action]!
    const account = words[message + MessageWord.account]!
    const op = opOf(action)
    command.reset(op, account)
    if (this.isGated && needsKey(op)) {
      if (cells[message + SignedMessage.key]! < 0) cells[message + SignedMessage.key] = this.enricher.freshKey(account)
      command.key = cells[message + SignedMessage.key]!
    }
    switch (action) {
      case Action.requestQuote:
        command.stakeMicros = cells[message + CommandMessage.betMicros]!
        return this.putLegs(words[message + MessageWord.intent]!, command)
      case Action.cancelRequest: command.rfq = cells[message + CommandMessage.request]!; return
      case Action.cancelCashOut: command.rfq = cells[message + CashOutMessage.auction]!; return
      case Action.openCashOut: command.position = cells[message + CashOutMessage.position]!; return
      case Action.commit: case Action.takeBid:
        command.quote = cells[message + SignedMessage.quote]!
        command.key = cells[message + SignedMessage.key]!
        if (action === Action.commit) {
          command.validAfterS = cells[message + SignedMessage.validAfterS]!
          command.validBeforeS = command.validAfterS + FUNDING_S
        }
        break
      case Action.submitQuote: case Action.submitBid:
        command.rfq = cells[message + SignedMessage.request]!
        command.generation = cells[message + SignedMessage.version]!
        command.payoutMicros = cells[message + SignedMessage.payoutMicros]!
        command.expiryS = cells[message + SignedMessage.expiryS]!
        command.memoE9 = cells[message + SignedMessage.memoE9]!
        command.productE9 = cells[message + SignedMessage.productE9]!
        break
      case Action.confirm: command.quote = cells[message + SignedMessage.quote]!; break
      default: command.quote = cells[message + CommandMessage.quote]!; return
    }
    command.termsTag = cells[message + SignedMessage.termsTag]!
    // An account's wallet signs as the account's number.
    command.signer = command.termsTag === NONE ? NONE : account
  }

  /** Puts an intent's legs into a command in the order of their outcome_ids. */
  private putLegs(intent: number, command: OutcomeCommand): void {
    this.cohorts.commands.putLegs(intent, command)
    const { legOutcomes, legSides, legCount } = command
    for (let i = 1; i < legCount; i++) {
      const market = legOutcomes[i]!
      const side = legSides[i]!
      let to = i
      for (; to > 0 && this.rankOfMarket[legOutcomes[to - 1]!]! > this.rankOfMarket[market]!; to--) {
        legOutcomes[to] = legOutcomes[to - 1]!
        legSides[to] = legSides[to - 1]!
      }
      legOutcomes[to] = market
      legSides[to] = side
    }
  }
}
