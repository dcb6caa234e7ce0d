import type { BettorPort } from '../agent/bettorPort.ts'
import { IntentCell, type Intents, IntentState, IntentWord } from '../agent/intents.ts'
import { type Delay, delayUs } from '../agent/latency.ts'
import { Action } from '../agent/vocabulary.ts'
import { Draws, Purpose } from '../kernel/random.ts'
import { NONE } from '../unit/none.ts'
import type { Cohort } from './cohort.ts'
import { drawKey } from './drawKeys.ts'
import type { DrawSources } from './drawSources.ts'
import type { CommandEnricher } from './enricher.ts'
import { CommandMessage } from './messageCells.ts'
import { MessageKind, MessageWord } from './messages.ts'
import { entityOfName } from '../kernel/names.ts'
import type { SessionKeys } from './play.ts'
import type { Transit } from './transit.ts'

/** Ways of what is sent about an intent, which number its draws. */
export const Way = { create: 0, commit: 1, cancel: 2, reply: 3, best: 4, again: 5 } as const
const WAYS = 8

/** Sends the commands about intents on their way to the venue, and messages on their way to bettors. */
export class IntentCommands implements BettorPort {
  private declare readonly intents: Intents
  private declare readonly transit: Transit
  /** Draws of delays, by the source's place: what lays off is a maker's. */
  private declare readonly latencyDraws: readonly Draws[]
  private declare readonly enricher: CommandEnricher | null
  /** Entities of the draws about a source's requests, by the source's place. */
  private declare readonly sourceEntities: Float64Array
  private cohorts: readonly Cohort[] = []

  constructor(intents: Intents, transit: Transit, keys: SessionKeys, sources: DrawSources, enricher: CommandEnricher | null) {
    this.intents = intents
    this.transit = transit
    const [ofBettors, ofMakers] = [keys.bettors, keys.makers].map((key) => new Draws(key, Purpose.decisionDelay))
    this.latencyDraws = sources.names.map((_, source) => (sources.isLayOff(source) ? ofMakers! : ofBettors!))
    this.sourceEntities = Float64Array.from(sources.names, entityOfName)
    this.enricher = enricher
  }

  /** The cohorts of the session, in their order. */
  join(cohorts: readonly Cohort[]): void {
    this.cohorts = cohorts
  }

  requestQuote(slot: number): void {
    this.intents.words[slot + IntentWord.state] = IntentState.requesting
    const message = this.command(Action.requestQuote, slot)
    const { messages } = this.transit
    messages.cells[message + CommandMessage.betMicros] = this.intents.cells[slot + IntentCell.betMicros]!
    messages.cells[message + CommandMessage.drawKey] = drawKey(this.intents.words[slot + IntentWord.source]!, this.intents.cells[slot + IntentCell.arrival]!)
    this.transit.send(message, this.sentIn(slot, Way.create))
  }

  commit(slot: number): void {
    this.intents.words[slot + IntentWord.state] = IntentState.committing
    const { intents } = this
    const { messages } = this.transit
    const message = this.command(Action.commit, slot)
    messages.cells[message + CommandMessage.version] = intents.cells[slot + IntentCell.version]!
    messages.cells[message + CommandMessage.quote] = intents.cells[slot + IntentCell.bestQuote]!
    messages.cells[message + CommandMessage.bookChanges] = intents.cells[slot + IntentCell.bookChanges]!
    messages.cells[message + CommandMessage.oddsE4] = intents.cells[slot + IntentCell.minOddsE4]!
    if (this.enricher !== null) {
      this.enricher.commit(message, this.offerOf(slot), intents.cells[slot + IntentCell.bestPayoutMicros]!, intents.cells[slot + IntentCell.betMicros]!)
    }
    this.transit.send(message, this.sentIn(slot, Way.commit))
  }

  /** The best quote, as the bettor was told of it, if it reaches the floor and is of no maker that is left out; else −1. */
  private offerOf(slot: number): number {
    const { intents } = this
    if (intents.cells[slot + IntentCell.bestOddsE4]! < intents.cells[slot + IntentCell.minOddsE4]!) return NONE
    const from = intents.excludedFrom(slot)
    const isExcluded = intents.excluded.subarray(from, from + intents.words[slot + IntentWord.excludedCount]!).includes(intents.words[slot + IntentWord.bestMaker]!)
    return isExcluded ? NONE : intents.cells[slot + IntentCell.bestQuote]!
  }

  cancelRequest(slot: number): void {
    this.transit.send(this.command(Action.cancelRequest, slot), this.sentIn(slot, Way.cancel))
  }

  decideIn(slot: number, delayByUs: number): void {
    if (!this.transit.isClosedIn(delayByUs)) this.transit.send(this.messageTo(MessageKind.decision, slot), delayByUs)
  }

  /** The intent slot that a message means, or −1 when that intent has ended. */
  intentOf(message: number): number {
    const { intents, transit: { messages: { words } } } = this
    const slot = words[message + MessageWord.intent]!
    const live = slot >= 0 && intents.words[slot + IntentWord.generation] === words[message + MessageWord.generation]!
    return live && intents.words[slot + IntentWord.state] !== IntentState.ended ? slot : NONE
  }

  private command(action: Action, slot: number): number {
    const { intents, transit: { messages } } = this
    const message = messages.take(MessageKind.command, intents.words[slot + IntentWord.cohort]!)
    const { words } = messages
    words[message + MessageWord.action] = action
    words[message + MessageWord.account] = intents.words[slot + IntentWord.bettor]!
    words[message + MessageWord.intent] = slot
    words[message + MessageWord.generation] = intents.words[slot + IntentWord.generation]!
    messages.cells[message + CommandMessage.request] = intents.cells[slot + IntentCell.request]!
    return message
  }

  /** A message of which nothing more is written yet. */
  messageTo(kind: number, slot: number): number {
    const { intents, transit: { messages } } = this
    const message = messages.takeBare(kind, intents.words[slot + IntentWord.cohort]!)
    messages.words[message + MessageWord.intent] = slot
    messages.words[message + MessageWord.generation] = intents.words[slot + IntentWord.generation]!
    return message
  }

  /** Delay of what the bettor is told, and of what it sends; `way` is a Way. */
  toldIn(slot: number, way: number): number {
    return this.delay(slot, this.cohorts[this.intents.words[slot + IntentWord.cohort]!]!.broadcast, way)
  }

  private sentIn(slot: number, way: number): number {
    return this.delay(slot, this.cohorts[this.intents.words[slot + IntentWord.cohort]!]!.submit, way)
  }

  private delay(slot: number, delay: Delay, way: number): number {
    return this.delayOf(this.intents.words[slot + IntentWord.source]!, delay, this.intents.cells[slot + IntentCell.arrival]!, way)
  }

  /** Delay of something about the request of an arrival; `source` is the place of the arrival's source. */
  delayOf(source: number, delay: Delay, arrival: number, way: number): number {
    return delayUs(delay, this.latencyDraws[source]!, this.sourceEntities[source]!, arrival * WAYS + way)
  }

  /** Puts an intent's legs into a command. */
  putLegs(slot: number, command: { leg(market: number, side: number): unknown }): void {
    const { words, legMarkets, legSides } = this.intents
    const from = this.intents.legsFrom(slot)
    const to = from + words[slot + IntentWord.legCount]!
    for (let i = from; i < to; i++) command.leg(legMarkets[i]!, legSides[i]!)
  }

  /** Puts the makers that the intent of a commit message leaves out into its command. */
  putExcluded(message: number, command: { item(value: number): unknown }): void {
    const slot = this.intentOf(message)
    if (slot < 0) return
    const { words, excluded } = this.intents
    const from = this.intents.excludedFrom(slot)
    for (let i = 0; i < words[slot + IntentWord.excludedCount]!; i++) command.item(excluded[from + i]!)
  }
}
