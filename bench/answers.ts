import type { BettorHandlers, BettorStrategy } from '../src/agent/bettor.ts'
import type { BettorDesk, RequestTerms } from '../src/agent/bettorDesk.ts'
import type { MakerHandlers, MakerStrategy } from '../src/agent/maker.ts'
import type { BidTerms, MakerDesk, QuoteTerms } from '../src/agent/makerDesk.ts'
import type { ServiceParticipants, SessionConfig } from '../src/engine/config.ts'
import { assert } from '../src/unit/assert.ts'

/** Marks a handler that did nothing, or let something go by. */
const NOTHING = NaN

/** The numbers that one participant's handlers answered with, in the order of their calls. */
class Tape {
  private values = new Float64Array(1024)
  private count = 0
  private at = 0

  put(value: number): void {
    if (this.count === this.values.length) {
      const wider = new Float64Array(this.count * 2)
      wider.set(this.values)
      this.values = wider
    }
    this.values[this.count++] = value
  }

  next(): number {
    return this.values[this.at++]!
  }

  rewind(): void {
    this.at = 0
  }

  get isAtEnd(): boolean {
    return this.at === this.count
  }
}

/**
 * The answers of the participants of one session, call by call. A session whose strategies read their answers from here does exactly the
 * same, to the digest, and saves only the time that strategies spend on finding them.
 */
export class Answers {
  private readonly tapes = new Map<string, Tape>()

  /** The session with strategies that work as usual and write down what they do. */
  written(config: SessionConfig): SessionConfig {
    this.tapes.clear()
    return withStrategies(config, {
      maker: (name, strategy) => writtenMaker(strategy, this.tape(name)), bettor: (name, strategy) => writtenBettor(strategy, this.tape(name)),
    })
  }

  /** The session with strategies that read what to do, from the beginning on. */
  read(config: SessionConfig): SessionConfig {
    for (const tape of this.tapes.values()) tape.rewind()
    return withStrategies(config, {
      maker: (name, strategy) => readMaker(strategy, this.tape(name)), bettor: (name, strategy) => readBettor(strategy, this.tape(name)),
    })
  }

  /** Every answer has been read. */
  get areRead(): boolean {
    return [...this.tapes.values()].every((tape) => tape.isAtEnd)
  }

  private tape(name: string): Tape {
    if (!this.tapes.has(name)) this.tapes.set(name, new Tape())
    return this.tapes.get(name)!
  }
}

interface Replacements {
  readonly maker: (name: string, strategy: MakerStrategy) => MakerStrategy
  readonly bettor: (name: string, strategy: BettorStrategy) => BettorStrategy
}

function withStrategies(config: SessionConfig, { maker, bettor }: Replacements): SessionConfig {
  const participants = <S extends ServiceParticipants>(service: S): S => ({
    ...service,
    makers: service.makers.map((entry) => ({ ...entry, strategy: maker(entry.name, entry.strategy) })),
    cohorts: service.cohorts.map((entry) => ({ ...entry, strategy: bettor(entry.name, entry.strategy) })),
  })
  const { parlay, outcome } = config
  return { ...config, ...(parlay && { parlay: participants(parlay) }), ...(outcome && { outcome: participants(outcome) }) }
}

/** A desk that reports the named commands when they are given. */
function watched<D extends MakerDesk | BettorDesk>(desk: D, commands: { readonly [name in keyof D]?: (...args: never[]) => void }): D {
  return new Proxy(desk, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      const saw = commands[name as keyof D]
      return (...args: never[]): unknown => {
        saw?.(...args)
        return Reflect.apply(value, target, args)
      }
    },
  })
}

function checkHandlers(handlers: object, known: readonly string[]): void {
  for (const name of Object.keys(handlers)) assert(known.includes(name), `the workload's ${name} can be written down`)
}

const writtenMaker = (strategy: MakerStrategy, tape: Tape): MakerStrategy => ({
  ...strategy,
  create(values, seat) {
    const { onRequest, onCashOut, ...others } = strategy.create(values, seat)
    checkHandlers(others, [])
    let probability = NOTHING
    let validUs = NOTHING
    const saw = (_about: unknown, terms: QuoteTerms | BidTerms): void => {
      assert('probability' in terms, 'the workload bids probabilities')
      probability = terms.probability
      validUs = terms.validUs
    }
    const call = (desk: MakerDesk, handler: (desk: MakerDesk) => void): void => {
      probability = validUs = NOTHING
      handler(watched(desk, { quote: saw, bid: saw }))
      tape.put(probability)
      tape.put(validUs)
    }
    return {
      onRequest: (request, desk) => call(desk, (watchedDesk) => onRequest!(request, watchedDesk)),
      ...(onCashOut && { onCashOut: (auction, desk) => call(desk, (watchedDesk) => onCashOut(auction, watchedDesk)) }),
    }
  },
})

const readMaker = (strategy: MakerStrategy, tape: Tape): MakerStrategy => ({
  ...strategy,
  create(values, seat) {
    const { onCashOut } = strategy.create(values, seat)
    const handlers: MakerHandlers = {
      onRequest(request, desk) {
        const probability = tape.next()
        const validUs = tape.next()
        if (probability > 0) desk.quote(request, { probability, validUs })
        else desk.pass('risk')
      },
    }
    if (onCashOut) {
      handlers.onCashOut = (auction, desk) => {
        const probability = tape.next()
        const validUs = tape.next()
        if (probability > 0) desk.bid(auction, { probability, validUs })
      }
    }
    return handlers
  },
})

const writtenBettor = (strategy: BettorStrategy, tape: Tape): BettorStrategy => ({
  ...strategy,
  create(values) {
    const { onArrival, onDecision, onOpened, onCheck, onListened, ...others } = strategy.create(values)
    checkHandlers(others, [])
    /** The one number of a command. */
    let said = NOTHING
    const call = (desk: BettorDesk, handler: (desk: BettorDesk) => void): void => {
      said = NOTHING
      handler(watched(desk, {
        commit: () => { said = 1 },
        checkIn: (_holding: unknown, delayUs: number) => { said = delayUs },
        openCashOut: (_holding: unknown, listenUs: number) => { said = listenUs },
        takeBid: (_holding: unknown, minPriceMicros: number) => { said = minPriceMicros },
      }))
      tape.put(said)
    }
    const handlers: BettorHandlers = {
      onArrival(intent, desk) {
        let asked = false
        onArrival(intent, watched(desk, {
          requestQuote: (_intent: unknown, { betMicros, minOddsE4, decideInUs }: RequestTerms) => {
            asked = true
            tape.put(intent.legs.count)
            for (let i = 0; i < intent.legs.count; i++) {
              tape.put(intent.legs.market(i))
              tape.put(intent.legs.side(i))
            }
            for (const value of [betMicros, minOddsE4, decideInUs]) tape.put(value)
          },
        }))
        if (!asked) tape.put(NOTHING)
      },
      onDecision: (intent, desk) => call(desk, (watchedDesk) => onDecision(intent, watchedDesk)),
    }
    if (onOpened) handlers.onOpened = (holding, desk) => call(desk, (watchedDesk) => onOpened(holding, watchedDesk))
    if (onCheck) handlers.onCheck = (holding, desk) => call(desk, (watchedDesk) => onCheck(holding, watchedDesk))
    if (onListened) handlers.onListened = (holding, desk) => call(desk, (watchedDesk) => onListened(holding, watchedDesk))
    return handlers
  },
})

const readBettor = (strategy: BettorStrategy, tape: Tape): BettorStrategy => ({
  ...strategy,
  create(values) {
    const { onOpened, onCheck, onListened } = strategy.create(values)
    const handlers: BettorHandlers = {
      onArrival(intent, desk) {
        const legs = tape.next()
        if (!(legs > 0)) return
        for (let i = 0; i < legs; i++) {
          const market = tape.next()
          intent.setLeg(i, market, tape.next())
        }
        intent.setLegCount(legs)
        const betMicros = tape.next()
        const minOddsE4 = tape.next()
        desk.requestQuote(intent, { betMicros, minOddsE4, decideInUs: tape.next() })
      },
      onDecision(intent, desk) {
        if (tape.next() === 1) desk.commit(intent)
      },
    }
    if (onOpened) {
      handlers.onOpened = (holding, desk) => {
        const delayUs = tape.next()
        if (delayUs > 0) desk.checkIn(holding, delayUs)
      }
    }
    if (onCheck) {
      handlers.onCheck = (holding, desk) => {
        const listenUs = tape.next()
        if (listenUs > 0) desk.openCashOut(holding, listenUs)
      }
    }
    if (onListened) {
      handlers.onListened = (holding, desk) => {
        const minPriceMicros = tape.next()
        if (minPriceMicros > 0) desk.takeBid(holding, minPriceMicros)
      }
    }
    return handlers
  },
})
