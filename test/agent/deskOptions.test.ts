import { describe, expect, it } from 'vitest'
import {
  bettor, type BettorDesk, fakeBettor, fakeMaker, type HoldingView, type IntentView, maker, type MakerDesk, type PriceOptions, type RequestView, seconds, Side,
} from '../../src/index.ts'

const LEGS = [[0, Side.yes], [1, Side.no]] as const
const PRICES = [{ bid: 0.4, ask: 0.5 }, { bid: 0.5, ask: 0.6 }]
const ASK: PriceOptions = { priceType: 'ask', maxAgeUs: 1e6 }

/** Does something in a maker's handler of a request. */
function inRequest(act: (desk: MakerDesk, request: RequestView) => void): void {
  fakeMaker(maker({}, () => ({ onRequest: (request, desk) => act(desk, request) })), { prices: PRICES }).onRequest({ legs: LEGS })
}

/** Does something as a bettor arrives. */
function inArrival(act: (desk: BettorDesk, intent: IntentView) => void): void {
  fakeBettor(bettor({}, () => ({
    onArrival(intent, desk) {
      intent.setLegCount(1)
      intent.setLeg(0, 0, Side.yes)
      act(desk, intent)
    },
    onDecision() {},
  })), { prices: PRICES }).onArrival()
}

/** Every way to ask for a price, on both desks. */
const ASKING: readonly (readonly [string, (options: PriceOptions) => void])[] = [
  ['a maker’s price', (options) => { inRequest((desk, { legs }) => desk.price(legs, options)) }],
  ['a maker’s winProbability', (options) => { inRequest((desk, { legs }) => desk.winProbability(legs, options)) }],
  ['a maker’s legPrice', (options) => { inRequest((desk, { legs }) => desk.legPrice(legs, 0, options)) }],
  ['a maker’s positionValue', (options) => {
    fakeMaker(maker({}, () => ({ onOpened: (position, desk) => { desk.positionValue(position, options) } })), { prices: PRICES }).onOpened({ legs: LEGS })
  }],
  ['a bettor’s price', (options) => { inArrival((desk, { legs }) => desk.price(legs, options)) }],
  ['a bettor’s legPrice', (options) => { inArrival((desk, { legs }) => desk.legPrice(legs, 0, options)) }],
  ['a bettor’s expectedPayout', (options) => {
    const asking = (holding: HoldingView, desk: BettorDesk): void => { desk.expectedPayout(holding, options) }
    const fake = fakeBettor(bettor({}, () => ({
      onArrival(intent, desk) {
        desk.pickLegs(intent, 1, 0.1, 1e6)
        desk.requestQuote(intent, { betMicros: 1e6, minOddsE4: 10_001, decideInUs: 1 })
      },
      onDecision() {},
      onOpened: asking,
    })), { prices: PRICES })
    fake.onArrival()
    fake.onOpened()
  }],
]

describe.each(ASKING)('%s', (_, asking) => {
  it.each([undefined, NaN, -1, seconds(30)])('refuses the age %s, by which a price of any age would do, or none', (maxAgeUs) => {
    expect(() => { asking({ priceType: 'ask', maxAgeUs: maxAgeUs as number }) }).toThrow('maxAgeUs is a number of µs from 0 on, not ')
  })

  it('refuses a kind of price that is none', () => {
    expect(() => { asking({ priceType: 'asks' as 'ask', maxAgeUs: 1 }) }).toThrow("a priceType is bid, mid or ask, not 'asks'")
  })

  it('refuses options that it does not have, and says what was meant', () => {
    expect(() => { asking({ priceType: 'ask', maxAgeMs: 1 } as never) }).toThrow('there is no option maxAgeMs; did you mean maxAgeUs?')
    expect(() => { asking({ side: 'ask', maxAgeUs: 1 } as never) }).toThrow('there is no option side: there are priceType, maxAgeUs')
    expect(() => { asking({ ...ASK, minDepth: 3 } as never) }).toThrow('there is no option minDepth')
    expect(() => { asking(undefined as never) }).toThrow('expected { priceType, maxAgeUs }, not undefined')
  })

  it('takes what is right, however it is written', () => {
    class Options {
      priceType = 'mid' as const
      get maxAgeUs() { return Infinity }
    }
    for (const right of [ASK, { ...ASK, maxAgeUs: 0 }, Object.freeze({ ...ASK }), new Options()]) expect(() => { asking(right) }).not.toThrow()
  })
})

describe('what a maker commands', () => {
  const quoting = (terms: object) => () => { inRequest((desk, request) => { desk.quote(request, terms as never) }) }

  it('is refused with terms that there are not', () => {
    expect(quoting({ probability: 0.3, validMs: 8000 })).toThrow('there is no option validMs; did you mean validUs?')
    expect(quoting({ probabilty: 0.3, validUs: 8e6 })).toThrow('there is no option probabilty; did you mean probability?')
    expect(quoting({ probability: 0.3, validUs: 8e6, fiar: 0.2 })).toThrow('there is no option fiar; did you mean fair?')
    expect(quoting({ probability: 0.3, validUs: 8e6, fair: 0.2, side: 'no' })).toThrow('there is no option side')
  })

  it('is taken with the fair probability, without it, and with none', () => {
    for (const more of [{}, { fair: 0.2 }, { fair: undefined }]) expect(quoting({ probability: 0.3, validUs: 8e6, ...more })).not.toThrow()
  })

  it('is taken with the product of leg prices beside the fair probability, and refused without it', () => {
    for (const more of [{ fair: 0.2, fairProduct: 0.1 }, { fair: 0.2, fairProduct: undefined }, { fairProduct: undefined }]) expect(quoting({ probability: 0.3, validUs: 8e6, ...more })).not.toThrow()
    expect(quoting({ probability: 0.3, validUs: 8e6, fairProduct: 0.1 })).toThrow('a fairProduct is given with fair')
    expect(quoting({ probability: 0.3, validUs: 8e6, fair: 0.2, fairProduct: 1.1 })).toThrow('a fairProduct lies within 0 … 1, not at 1.1')
    expect(quoting({ probability: 0.3, validUs: 8e6, fairProduct: 0.1, fiar: 0.2 })).toThrow('there is no option fiar')
  })

  it('is refused with a parameter’s declaration in the place of a number, by words that say so', () => {
    const declared = 'not an object: a handler writes numbers, as 15 * SECOND_US, and seconds(15) declares a parameter'
    expect(quoting({ probability: 0.3, validUs: seconds(15) })).toThrow(`a quote is valid for a whole number of µs from 1,000 on, ${declared}`)
    expect(() => { inRequest((desk, request) => { desk.later(request, seconds(1) as never) }) }).toThrow(declared)
  })

  it('is refused as a bid or as a lay-off whose terms there are not', () => {
    const bidding = maker({}, () => ({ onCashOut: (auction, desk) => { desk.bid(auction, { price: 1e6, validUs: 8e6 } as never) } }))
    expect(() => { fakeMaker(bidding).onCashOut({ legs: LEGS }) }).toThrow('there is no option price; did you mean priceMicros?')
    const laying = maker({}, () => ({ onOpened: (position, desk) => { desk.layOff(position, { bet: 1e6, minOddsE4: 20_000, decideInUs: 1 } as never) } }))
    expect(() => { fakeMaker(laying).onOpened({ legs: LEGS }) }).toThrow('there is no option bet')
  })
})

describe('what a bettor asks for', () => {
  const asking = (terms: object) => () => { inArrival((desk, intent) => { desk.requestQuote(intent, terms as never) }) }
  const TERMS = { betMicros: 1e6, minOddsE4: 10_001, decideInUs: 1 }

  it('is refused with terms that there are not, and without one that there is', () => {
    expect(asking({ ...TERMS, minOdds: 3 })).toThrow('there is no option minOdds; did you mean minOddsE4?')
    expect(asking({ betMicros: 1e6, minOddsE4: 10_001, decideInMs: 1 })).toThrow('there is no option decideInMs; did you mean decideInUs?')
    expect(asking({ betMicros: 1e6, decideInUs: 1 })).toThrow('betMicros and minOddsE4 are numbers, not 1000000 and NaN')
    asking(TERMS)()
  })

  it('is refused with an age or a lowest price of legs that is none', () => {
    expect(() => { inArrival((desk, intent) => desk.pickLegs(intent, 1, 0.1, NaN)) }).toThrow('maxAgeUs is a number of µs from 0 on, not NaN')
    expect(() => { inArrival((desk, intent) => desk.pickLegs(intent, 1, NaN, 1)) }).toThrow('a lowest price lies within 0 … 1, not at NaN')
  })
})
