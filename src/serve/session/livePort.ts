import { assert } from '../../unit/assert.ts'
import type { LiveAsk, LiveClock, LiveTold } from '../live/liveFrames.ts'
import type { LegFacts } from '../live/liveVenue.ts'
import { frameOf, LiveWatch } from '../live/liveWatch.ts'
import type { ValueOf } from '../live/makerMoney.ts'
import type { Line } from '../threadMessages.ts'
import type { ServedService, ServedSession } from './servedSession.ts'
import { wallMs } from './wallClock.ts'

/** Where time is and what it follows, in the session's instants. */
export type LiveCourse = () => Pick<LiveClock, 'atUs' | 'speed' | 'turns'>

/**
 * Answers looks at a session from the thread of HTTP. A look comes in between two turns of the event loop, where the session stands, and is no
 * part of the session. Precondition: nothing has been played.
 */
export class LivePort {
  private readonly watches = new Map<ServedService, LiveWatch>()
  private declare readonly served: ServedSession
  private declare readonly shiftUs: number
  private course: LiveCourse = () => ({ atUs: this.served.nowUs, speed: null, turns: null })

  constructor(served: ServedSession, line: Line<LiveAsk, LiveTold>, shiftUs: number) {
    this.served = served
    this.shiftUs = shiftUs
    for (const { service, venue, hear } of served.live()) {
      const watch = new LiveWatch({ venue, shiftUs, ...this.known(service), openValues: () => valuesOf(served) })
      hear((events, row) => { watch.take(events, row) })
      this.watches.set(service, watch)
    }
    line.hear((ask) => {
      const watch = this.watches.get(ask.service)
      if (watch === undefined) return
      if (ask.kind === 'leave') watch.leave()
      else line.say({ service: ask.service, frame: this.frame(watch, ask.keys) })
    })
  }

  /** From now on the clock says how time goes. */
  follow(course: LiveCourse): void {
    this.course = course
  }

  private frame(watch: LiveWatch, keys: readonly string[]) {
    const { atUs, ...course } = this.course()
    return frameOf(watch, atUs, keys, { atUs: atUs + this.shiftUs, ...course }, wallMs)
  }

  private known(service: ServedService) {
    const { built: { directory: { accounts, markets } }, seats } = this.served
    const seatsOf = (account: number) => seats.filter((seat) => seat.service === service && seat.account === account)
    const isBettor = (account: number): boolean => seatsOf(account).length > 0 && seatsOf(account).every(({ role }) => role === 'bettor')
    return {
      makers: accounts.flatMap(({ name, role, services }, account) =>
        (role === 'bettor' || services?.includes(service) === false ? [] : [{ account, name, isClient: seatsOf(account).length > 0, isBettor: isBettor(account) }])),
      nameOf: (account: number): string => accounts[account]?.name ?? '',
      tickerOf: (market: number): string => {
        const known = markets[market]
        assert(known !== undefined, `market ${market} is in the directory`)
        return known.ticker
      },
    }
  }
}

function valuesOf({ built }: ServedSession): ValueOf {
  const reference = built.anotherReference()
  return (atUs: number, legs: readonly LegFacts[]) => reference.parlayValue(atUs, legs.length, legs.map(({ market }) => market), legs.map(({ side }) => side), 0)
}
