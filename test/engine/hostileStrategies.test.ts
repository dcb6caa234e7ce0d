import { describe, expect, it } from 'vitest'
import type { BettorDesk } from '../../src/agent/bettorDesk.ts'
import type { BettorStrategy } from '../../src/agent/bettor.ts'
import { maker, type MakerHandlers, type MakerStrategy } from '../../src/agent/maker.ts'
import { fakeBettor } from '../../src/agent/fakeBettor.ts'
import { fakeMaker } from '../../src/agent/fakeMaker.ts'
import { HANDLER_NAMES } from '../../src/agent/handlerNames.ts'
import type { MakerDesk } from '../../src/agent/makerDesk.ts'
import silent from '../../src/agent/makers/silent.ts'
import type { AuctionView, HoldingView, IntentView, LegsView, PositionView, RequestView, SelectionView } from '../../src/agent/views.ts'
import type { CohortEntry, MakerEntry, SessionConfig } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import * as parlor from '../../src/index.ts'
import { curiousSession, onBoth } from './curious.ts'
import { OutcomeLog } from './outcomeLog.ts'
import { outcomeAuctionConfig } from './outcomeWorld.ts'
import { crowding, firstShown, numbered, type Shown } from './numbered.ts'
import { isBuiltIn, isReference, type Reached, reachedFrom } from './reached.ts'
import { RowLog } from './rowLog.ts'
import { auctionConfig, cohorts, makerEntry } from './world.ts'

/** How often each handler of a participant looks around. */
const LOOKS = 3

type Look = (handler: string, given: readonly unknown[]) => void
type AnyStrategy = { readonly create: (...given: never[]) => object }

/** The strategy, which looks around before it does what it did. */
const looking = <S extends AnyStrategy>(strategy: S, look: Look): S => ({
  ...strategy,
  create(...given: never[]) {
    look('create', given)
    const handlers = strategy.create(...given)
    return Object.fromEntries(Object.entries(handlers).map(([name, handle]) => [name, typeof handle !== 'function' ? handle : (...shown: unknown[]) => {
      look(name, shown)
      return Reflect.apply(handle, handlers, shown) as unknown
    }]))
  },
})

function lookingEverywhere(config: SessionConfig, look: Look): SessionConfig {
  const participants = <E extends { readonly makers: readonly MakerEntry[]; readonly cohorts: readonly CohortEntry[] }>(service: E): E => ({
    ...service,
    makers: service.makers.map((entry) => ({ ...entry, strategy: looking(entry.strategy, look) })),
    cohorts: service.cohorts.map((entry) => ({ ...entry, strategy: looking(entry.strategy as unknown as AnyStrategy, look) as never })),
  })
  const { parlay, outcome } = config
  return { ...config, ...(parlay && { parlay: participants(parlay) }), ...(outcome && { outcome: participants(outcome) }) }
}

const givenTo = (handler: string, given: readonly unknown[]): Reached[] =>
  given.flatMap((value, i) => (isReference(value) ? [{ value, path: `${handler} ${i}` }] : []))

describe('what a strategy can reach', () => {
  it('from all that it is given, in every handler and on both services, is frozen facades, their frozen methods and numbers', () => {
    const looks = new Map<string, number>()
    const faults = new Set<string>()
    const kinds = new Set<string>()
    new Session(lookingEverywhere(curiousSession(onBoth(60), []), (handler, given) => {
      const count = looks.get(handler) ?? 0
      looks.set(handler, count + 1)
      if (count >= LOOKS) return
      for (const { value, path } of reachedFrom(givenTo(handler, given))) {
        kinds.add(Object.prototype.toString.call(value))
        // An error is made for the one who sees it.
        if (value instanceof Error) continue
        if (!Object.isFrozen(value)) faults.add(`${path} is not frozen`)
        for (const key of Reflect.ownKeys(value)) {
          const held = Object.getOwnPropertyDescriptor(value, key)!.value as unknown
          const isMethod = typeof held === 'function'
          if (typeof value !== 'function' && isReference(held) && !isMethod) faults.add(`${path}.${String(key)} holds an object`)
        }
        if (ArrayBuffer.isView(value)) faults.add(`${path} is memory`)
      }
    })).runToEnd()
    expect([...faults]).toEqual([])
    expect([...kinds].toSorted()).toEqual(['[object Array]', '[object Error]', '[object Function]', '[object Object]'])
    // It is called by a change in the middle of a run alone, and given a copy of plain state.
    expect(HANDLER_NAMES.filter((handler) => !looks.has(handler))).toEqual(['adopt'])
  })

  it('by its import of parlor are frozen words and functions, and fakes that show nothing of the engine', () => {
    for (const [name, value] of Object.entries(parlor)) expect([name, typeof value === 'function' || Object.isFrozen(value) || !isReference(value)]).toEqual([name, true])
    const idle = { role: 'bettor', parameters: {}, create: () => ({ onArrival() {}, onDecision() {} }) } as BettorStrategy
    for (const fake of [parlor.fakeMaker(silent), parlor.fakeBettor(idle)]) {
      const { commands, desk, handlers, ...others } = fake
      expect([commands, Object.isFrozen(desk), Object.keys(others).filter((name) => !['layOffs', 'takesLayOffs', 'reasons', 'logs'].includes(name))]).toEqual([[], true, []])
      expect(isReference(handlers)).toBe(true)
    }
  })

  it('by the frames of an error holds nothing of the engine', () => {
    const frames: unknown[] = []
    let read = 0
    const own = Error.prepareStackTrace
    const prying = maker({}, () => ({
      onRequest(request, desk) {
        Error.prepareStackTrace = (_error, sites) => {
          for (const site of sites) frames.push(site.getThis(), site.getFunction())
          return ''
        }
        try {
          desk.quote(request, { probability: NaN, validUs: 1 })
        } catch (error) {
          void (error as Error).stack
          read++
        } finally {
          Error.prepareStackTrace = own
        }
      },
    })) as unknown as MakerStrategy
    new Session(auctionConfig(5, { makers: [makerEntry('prying', prying)] })).runToEnd()
    expect(read).toBeGreaterThan(10)
    // V8 writes traces itself while a session plays, and asks nobody.
    expect(frames).toEqual([])
  })
})

/** What may not be done to an object is tried, one after the other; whatever is refused is let go. */
function vandalise(value: object): void {
  const attempts: (() => void)[] = [
    () => { Object.setPrototypeOf(value, null) }, () => { Object.freeze(value) }, () => { Object.defineProperty(value, 'mark', { value: 1 }) },
  ]
  for (const holder of [value, Object.getPrototypeOf(value) as object | null]) {
    if (holder === null || isBuiltIn(holder)) continue
    for (const key of [...Reflect.ownKeys(holder), 'call', 'apply', 'toString', 'then', Symbol.toPrimitive]) {
      attempts.push(
        () => { Reflect.set(value, key, 0) }, () => { Object.defineProperty(value, key, { get: () => { throw new Error('a trap') } }) },
        () => { Reflect.deleteProperty(value, key) },
      )
      const held: unknown = Object.getOwnPropertyDescriptor(holder, key)?.value
      if (typeof held === 'function') attempts.push(() => { Reflect.set(held, 'apply', () => 0) }, () => { Object.defineProperty(held, 'name', { value: 1 }) })
    }
  }
  for (const attempt of attempts) {
    try {
      attempt()
    } catch {}
  }
}

/** Handlers of these names that break what they can, the first times that they are called, and do nothing else. */
function vandal(names: readonly string[]): Record<string, (...shown: unknown[]) => void> {
  return Object.fromEntries(names.map((name) => {
    let calls = 0
    return [name, (...shown) => {
      if (calls++ >= LOOKS) return
      for (const { value } of reachedFrom(givenTo(name, shown))) vandalise(value)
    }]
  }))
}

describe('a strategy that writes, freezes, traps and deletes', () => {
  const makerNames = HANDLER_NAMES.filter((name) => !['onSelected', 'onDecision', 'onBidTaken', 'onArrival', 'onRefused', 'onListened'].includes(name))
  const vandalMaker = maker({}, (p, seat) => {
    vandalise(p)
    vandalise(seat)
    return vandal(makerNames) as MakerHandlers
  }) as unknown as MakerStrategy
  const bettorOf = (handlers: Record<string, unknown>): CohortEntry =>
    ({ ...cohorts[0]!, name: 'visitors', strategy: { role: 'bettor', parameters: {}, create: () => handlers } as unknown as BettorStrategy as never, values: {} })
  const vandalBettor = bettorOf(vandal(['onArrival', 'onDecision', 'onOpened']))
  const idleBettor = bettorOf({ onArrival() {}, onDecision() {} })
  const seated = <E extends { readonly makers: readonly MakerEntry[]; readonly cohorts: readonly CohortEntry[] }>(service: E, strategy: MakerStrategy, bettors: CohortEntry): E =>
    ({ ...service, makers: [makerEntry('visitor', strategy), ...service.makers], cohorts: [bettors, ...service.cohorts] })

  it('changes no row of the parlay service, beside a silent maker and bettors that ask for nothing', () => {
    const rowsWith = (strategy: unknown, bettors: CohortEntry) => {
      const log = new RowLog()
      const config = auctionConfig(20)
      new Session({ ...config, parlay: seated(config.parlay, strategy as MakerStrategy, bettors), sinks: [log] }).runToEnd()
      return { rows: log.rows, commands: log.commands }
    }
    const without = rowsWith(silent, idleBettor)
    expect(without.rows.length).toBeGreaterThan(1000)
    expect(rowsWith(vandalMaker, vandalBettor)).toEqual(without)
  })

  it('changes no row of the outcome service', () => {
    const rowsWith = (strategy: unknown, bettors: CohortEntry) => {
      const log = new OutcomeLog()
      const config = outcomeAuctionConfig(20)
      new Session({ ...config, outcome: seated(config.outcome, strategy as MakerStrategy, bettors), sinks: [log] }).runToEnd()
      return { rows: log.rows, commands: log.commands }
    }
    const without = rowsWith(silent, idleBettor)
    expect(without.rows.length).toBeGreaterThan(1000)
    expect(rowsWith(vandalMaker, vandalBettor)).toEqual(without)
  })
})

describe('a view that no handler was given', () => {
  const FORGED: readonly [string, (request: RequestView) => unknown][] = [
    ['a copy', (request) => ({ ...request, request: request.request })],
    ['an object whose prototype is the view', (request) => Object.create(request)],
    ['a proxy of the view', (request) => new Proxy(request, {})],
    ['the view’s prototype', (request) => Object.getPrototypeOf(request)],
    ['nothing', () => undefined],
    ['a number', (request) => request.request],
  ]

  /** What a maker’s run ends with when it does this with each request. */
  const failureOf = (act: (request: RequestView, desk: MakerDesk) => void): string => {
    try {
      new Session(auctionConfig(5, { makers: [makerEntry('forger', maker({}, () => ({ onRequest: act })) as unknown as MakerStrategy)] })).runToEnd()
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }

  it.each(FORGED)('is refused by a command and blames the strategy: %s', (_name, forge) => {
    expect(failureOf((request, desk) => desk.quote(forge(request) as RequestView, { probability: 0.5, validUs: 5_000_000 })))
      .toMatch(/^strategy of forger threw in onRequest(?: \(\w+ \d+\))? at \S+Z: this is no request that a handler was given$/)
  })

  it.each([
    ['made-up columns', () => ({ count: 1, markets: [0], sides: [1 / 3], market: () => 0, side: () => 1 / 3 })],
    ['a copy of them', ({ legs }: RequestView) => ({ ...legs })],
    ['a proxy', ({ legs }: RequestView) => new Proxy(legs, {})],
  ] as const)('is refused as legs: %s', (_name, forge) => {
    for (const ask of [
      (desk: MakerDesk, legs: never) => desk.exposure(legs), (desk: MakerDesk, legs: never) => desk.netLegRisk(legs, 0),
      (desk: MakerDesk, legs: never) => desk.price(legs, { priceType: 'mid', maxAgeUs: 1e9 }),
    ]) {
      expect(failureOf((request, desk) => void ask(desk, forge(request) as never))).toMatch(/forger threw in onRequest(?: \(\w+ \d+\))? at \S+Z: legs are those of a view that a handler was given/)
    }
  })

  it.each([-1, 0.5, 64, NaN, 'buffer', { valueOf: () => 0, toString: () => 'buffer' }])('has no leg %s', (leg) => {
    expect(failureOf(({ legs }) => void legs.market(leg as number))).toMatch('there is no leg')
    expect(failureOf(({ legs }, desk) => void desk.legDepth(legs, leg as number))).toMatch('there is no leg')
  })

  it('is refused when a desk’s method is given another desk', () => {
    expect(failureOf((request, desk) => Reflect.apply(desk.exposure, {}, [request.legs]))).toMatch(/forger threw in onRequest/)
  })

  it('takes no command once the handler is over', async () => {
    const late: string[] = []
    const later = maker({}, () => ({
      onRequest(request, desk) {
        void Promise.resolve().then(() => {
          for (const act of [() => desk.withdrawQuote(1), () => desk.later(request, 0), () => void request.request, () => void request.legs.count]) {
            try {
              act()
              late.push('taken')
            } catch (error) {
              late.push((error as Error).message)
            }
          }
        })
      },
    })) as unknown as MakerStrategy
    new Session(auctionConfig(5, { makers: [makerEntry('late', later)] })).runToEnd()
    await Promise.resolve()
    const HIDDEN = 'a view holds during its handler only'
    expect(late.slice(0, 4)).toEqual(['a desk takes commands while a handler of its maker runs', HIDDEN, HIDDEN, HIDDEN])
    expect(late).not.toContain('taken')
  })
})

describe('a view of another desk', () => {
  const failureOf = (makers: readonly MakerEntry[], more: Partial<ReturnType<typeof auctionConfig>['parlay']> = {}): string => {
    const config = auctionConfig(5, { makers })
    try {
      new Session({ ...config, parlay: { ...config.parlay, ...more } }).runToEnd()
      return 'not refused'
    } catch (error) {
      return (error as Error).message
    }
  }
  const seat = (name: string, handlers: MakerHandlers): MakerEntry => makerEntry(name, maker({}, () => handlers) as unknown as MakerStrategy)
  const LEGS = [[0, 1], [1, 1]] as const
  const terms = { probability: 0.5, validUs: 5_000_000 }

  it.each<[string, string, (desk: MakerDesk) => MakerHandlers]>([
    ...([
      ['quote', (desk, view) => desk.quote(view, terms)], ['withdrawQuote', (desk, view) => desk.withdrawQuote(view)], ['later', (desk, view) => desk.later(view, 0)],
      ['riskOf', (desk, view) => void desk.riskOf(view, 0.5)],
    ] as [string, (desk: MakerDesk, view: RequestView) => void][]).map(([name, act]) =>
      [name, 'request', (desk: MakerDesk) => ({ onRequest: (view: RequestView) => act(desk, view) })] as never),
    ...([
      ['confirm', (desk, view) => desk.confirm(view)], ['decline', (desk, view) => desk.decline(view)], ['decideLater', (desk, view) => desk.decideLater(view, 0)],
    ] as [string, (desk: MakerDesk, view: SelectionView) => void][]).map(([name, act]) =>
      [name, 'selection', (desk: MakerDesk) => ({ onSelected: (view: SelectionView) => act(desk, view) })] as never),
    ...([
      ['bid', (desk, view) => desk.bid(view, terms)], ['breakEvenPrice', (desk, view) => void desk.breakEvenPrice(view, 0.5)],
    ] as [string, (desk: MakerDesk, view: AuctionView) => void][]).map(([name, act]) =>
      [name, 'auction', (desk: MakerDesk) => ({ onCashOut: (view: AuctionView) => act(desk, view) })] as never),
    ...([
      ['openCashOut', (desk, view) => desk.openCashOut(view)], ['takeBid', (desk, view) => desk.takeBid(view, 1)], ['cancelCashOut', (desk, view) => desk.cancelCashOut(view)],
      ['checkIn', (desk, view) => desk.checkIn(view, 0)], ['positionValue', (desk, view) => void desk.positionValue(view, 0.5)],
      ['layOff', (desk, view) => void desk.layOff(view, { betMicros: 1, minOddsE4: 20_000, decideInUs: 0 })],
    ] as [string, (desk: MakerDesk, view: PositionView) => void][]).map(([name, act]) =>
      [name, 'position', (desk: MakerDesk) => ({ onBought: (view: PositionView) => act(desk, view) })] as never),
    ...([
      ['price', (desk, legs) => void desk.price(legs, { priceType: 'mid', maxAgeUs: 1e9 })], ['legDepth', (desk, legs) => void desk.legDepth(legs, 0)],
      ['exposure', (desk, legs) => void desk.exposure(legs)],
    ] as [string, (desk: MakerDesk, legs: LegsView) => void][]).map(([name, act]) =>
      [name, 'legs', (desk: MakerDesk) => ({ onRequest: ({ legs }: RequestView) => act(desk, legs) })] as never),
  ])('is refused by %s of a maker when a fake made it', (_name, kind, handlers) => {
    const failure = failureOf([seat('forger', {
      onRequest({ request }, desk) {
        const fake = fakeMaker(maker({}, () => handlers(desk)) as unknown as MakerStrategy)
        fake.onRequest({ request, legs: LEGS })
        fake.onSelected({ request, legs: LEGS })
        fake.onCashOut({ auction: 1, legs: LEGS })
        fake.onBought({ position: 1, isAuctioned: true, legs: LEGS })
      },
    })])
    expect(failure).toMatch(new RegExp(`^strategy of forger threw in onRequest(?: \\(\\w+ \\d+\\))? at \\S+Z: (this ${kind} is|these ${kind} are) of another desk$`))
  })

  const forgers = (act: (desk: BettorDesk, intent: IntentView) => void, actOnHolding: (desk: BettorDesk, holding: HoldingView) => void): CohortEntry => {
    const forging = {
      onArrival(_intent: IntentView, desk: BettorDesk) {
        const fake = fakeBettor({ role: 'bettor', parameters: {}, create: () => ({
          onArrival(intent, own) {
            intent.setLeg(0, 0, 1)
            intent.setLegCount(1)
            own.requestQuote(intent, { betMicros: 1_000_000, minOddsE4: 10_001, decideInUs: 0 })
          },
          onDecision: (intent) => act(desk, intent),
          onOpened: (holding) => actOnHolding(desk, holding),
        }) } as BettorStrategy)
        for (let i = 0; i < 60; i++) {
          fake.onArrival()
          fake.pass(0)
        }
        fake.onOpened()
      },
      onDecision() {},
    }
    return { ...cohorts[0]!, name: 'forgers', values: {}, strategy: { role: 'bettor', parameters: {}, create: () => forging } as unknown as BettorStrategy as never }
  }

  it.each<[string, (desk: BettorDesk, intent: IntentView) => void]>([
    ['cancelRequest', (desk, intent) => desk.cancelRequest(intent)], ['commit', (desk, intent) => desk.commit(intent)], ['wait', (desk, intent) => desk.wait(intent, 0)],
    ['pickLegs', (desk, intent) => void desk.pickLegs(intent, 1, 0, 1e9)], ['uniform', (desk, intent) => void desk.uniform(intent, 0)],
    ['requestQuote', (desk, intent) => desk.requestQuote(intent, { betMicros: 1_000_000, minOddsE4: 10_001, decideInUs: 0 })],
    ['price', (desk, { legs }) => void desk.price(legs, { priceType: 'mid', maxAgeUs: 1e9 })], ['futurePrice', (desk, { legs }) => void desk.futurePrice(legs, 0)],
  ])('is refused by %s of a bettor when a fake made it', (_name, act) => {
    expect(failureOf([], { cohorts: [...cohorts, forgers(act, () => {})] })).toMatch(/^strategy of forgers threw in onArrival(?: \(\w+ \d+\))? at \S+Z: (this intent is|these legs are) of another desk$/)
  })

  it.each<[string, (desk: BettorDesk, holding: HoldingView) => void]>([
    ['openCashOut', (desk, holding) => desk.openCashOut(holding)], ['takeBid', (desk, holding) => desk.takeBid(holding, 1)], ['cancelCashOut', (desk, holding) => desk.cancelCashOut(holding)],
    ['checkIn', (desk, holding) => desk.checkIn(holding, 0)], ['expectedPayout', (desk, holding) => void desk.expectedPayout(holding, 0.5)], ['normal', (desk, holding) => void desk.normal(holding, 0)],
  ])('is refused by %s of a bettor when a fake made it of a holding', (_name, act) => {
    expect(failureOf([], { cohorts: [...cohorts, forgers(() => {}, act)] })).toMatch(/^strategy of forgers threw in onArrival(?: \(\w+ \d+\))? at \S+Z: this holding is of another desk$/)
  })

  it.each<[string, RegExp, (desk: MakerDesk, request: RequestView) => void]>([
    ['a quote', /this request is of another desk/, (desk, request) => desk.quote(request, terms)],
    ['a withdrawal by number', /a desk takes commands while a handler of its maker runs/, (desk) => desk.withdrawQuote(1)],
    ['a pass', /a desk takes commands while a handler of its maker runs/, (desk) => desk.pass('')],
  ])('is refused when seats of one strategy share desks: %s', (_name, message, act) => {
    let first: MakerDesk | undefined
    const sharing: MakerHandlers = {
      onRequest(request, desk) {
        first ??= desk
        if (desk !== first) act(first, request)
      },
    }
    expect(failureOf([seat('one', sharing), seat('other', sharing)])).toMatch(message)
  })
})

it.each([2 ** 40, 2 ** 41, Number.MAX_SAFE_INTEGER])('a maker that withdraws its quote on a request %d, which there cannot be, is blamed', (request) => {
  const withdrawing = maker({}, () => ({ onRequest: (_request, desk) => desk.withdrawQuote(request) })) as unknown as MakerStrategy
  expect(() => { new Session(auctionConfig(5, { makers: [makerEntry('wild', withdrawing)] })).runToEnd() })
    .toThrow(/^strategy of wild threw in onRequest(?: \(\w+ \d+\))? at \S+Z: a request has a whole number above 0 and below 2\^40, not \d+$/)
})

it('a maker may withdraw its quote on each request whose number it has read, and is blamed for the number after them', () => {
  const playing = (more: number): (() => void) => {
    const withdrawing = maker({}, () => ({ onRequest: (request, desk) => desk.withdrawQuote(request.request + more) })) as unknown as MakerStrategy
    return () => { new Session(auctionConfig(5, { makers: [makerEntry('wild', withdrawing)] })).runToEnd() }
  }
  expect(playing(0)).not.toThrow()
  expect(playing(1)).toThrow(/^strategy of wild threw in onRequest \(request \d+\) at \S+Z: this maker has read no request number 2$/)
})

it.each([['parlay', auctionConfig], ['outcome', outcomeAuctionConfig]] as const)('a maker that counts rivals by the gaps between numbers of its own counts nobody (%s)', (service, configOf) => {
  const shown: Shown[] = []
  const makers = [1, 2, 3].map((i) => makerEntry(`rival ${i}`, crowding))
  new Session(configOf(60, { makers: [...makers, makerEntry('counting', numbered(shown))] })).runToEnd()
  const others = Object.values(firstShown(shown, service)).map((numbers) => Math.max(...numbers) - numbers.length)
  expect(others.length).toBeGreaterThan(2)
  expect(others).toEqual(others.map(() => 0))
})

it('draws of a bettor are those of the intent that it is shown', () => {
  const refusals: string[] = []
  const prying = {
    onArrival(intent: never, desk: BettorDesk) {
      for (const field of [128, -1, 0.5, NaN]) {
        try {
          desk.uniform(intent, field)
        } catch (error) {
          refusals.push((error as Error).message)
        }
      }
    },
    onDecision() {},
  }
  const entry = { ...cohorts[0]!, values: {}, strategy: { role: 'bettor', parameters: {}, create: () => prying } as unknown as BettorStrategy as never }
  new Session(auctionConfig(5, { cohorts: [entry] })).runToEnd()
  expect(refusals.slice(0, 4)).toEqual([128, -1, 0.5, NaN].map((field) => `draws are numbered from 0 to 127, not ${field}`))
})
