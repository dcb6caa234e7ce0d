import { delayUs } from '../agent/latency.ts'
import { Action } from '../agent/vocabulary.ts'
import { assert } from '../unit/assert.ts'
import type { Cohort } from './cohort.ts'
import type { Cohorts } from './cohorts.ts'
import { arrivalOfKey, drawKey, sourceOfKey } from './drawKeys.ts'
import type { AnswerWay, CallWay } from './externalCalls.ts'
import { ComboCell } from './combos.ts'
import { Way } from './intentCommands.ts'
import type { CallWish } from './makerSeats.ts'
import { CallMessage } from './messageCells.ts'
import { MessageWord } from './messages.ts'
import type { Transit } from './transit.ts'

/** The ways of what clients of bettors call for, and of the answers: as long as those of a strategy in the bettor's place. */
export class BettorCalls implements AnswerWay {
  private declare readonly cohorts: Cohorts
  private declare readonly transit: Transit
  /** Requests that clients of each cohort have made, and calls of theirs about no request. They number its draws about them. */
  private declare readonly requests: Float64Array
  private declare readonly others: Float64Array

  constructor(cohorts: Cohorts, transit: Transit) {
    this.cohorts = cohorts
    this.transit = transit
    this.requests = new Float64Array(cohorts.cohorts.length)
    this.others = new Float64Array(cohorts.cohorts.length)
  }

  /** Whether it is the account of a bettor, be it a maker's too. */
  has(account: number): boolean {
    return this.placeOf(account) >= 0
  }

  private placeOf(account: number): number {
    return this.cohorts.cohorts.findIndex(({ firstAccount, entry }) => account >= firstAccount && account < firstAccount + entry.bettors)
  }

  wayOfCall(account: number, { action, request }: CallWish): CallWay {
    const place = this.placeOf(account)
    assert(place >= 0, 'a participant calls')
    const cohort = this.cohorts.cohorts[place]!
    if (action === Action.requestQuote) return this.wayOf(cohort, drawKey(place, this.requests[place]!++), Way.create)
    const combo = request >= 0 ? this.transit.comboOfRequest.get(request) : -1
    const key = combo >= 0 ? this.transit.combos.cells[combo + ComboCell.drawKey]! : -1
    if (key >= 0 && sourceOfKey(key) === place && (action === Action.commit || action === Action.cancelRequest)) {
      return this.wayOf(cohort, key, action === Action.commit ? Way.commit : Way.cancel)
    }
    return { drawKey: drawKey(this.cohorts.sourceCount, 0), delayUs: delayUs(cohort.submit, this.cohorts.callDraws, cohort.entity, this.others[place]!++) }
  }

  private wayOf(cohort: Cohort, key: number, way: number): CallWay {
    const source = sourceOfKey(key)
    return { drawKey: key, delayUs: this.cohorts.commands.delayOf(source, cohort.submit, arrivalOfKey(key, source), way) }
  }

  sendAnswer(message: number): void {
    const { words, cells } = this.transit.messages
    const place = this.placeOf(words[message + MessageWord.account]!)
    const cohort = this.cohorts.cohorts[place]!
    const key = cells[message + CallMessage.drawKey]!
    const source = sourceOfKey(key)
    this.transit.send(message, source === place
      ? this.cohorts.commands.delayOf(source, cohort.broadcast, arrivalOfKey(key, source), Way.reply)
      : delayUs(cohort.broadcast, this.cohorts.callDraws, cohort.entity, this.others[place]!++))
  }
}
