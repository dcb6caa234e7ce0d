import { describe, expect, it } from 'vitest'
import { type MakerHandlers, type MakerStrategy, maker } from '../../src/agent/maker.ts'
import type { SessionConfig } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { makerEntry, sessionConfig } from './world.ts'

/** What a session ends with: the error that stopped it. */
function failureOf(replaced: Partial<SessionConfig>): Error {
  try {
    new Session(sessionConfig(30, replaced)).runToEnd()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing failed')
}

const withMaker = (handlers: () => MakerHandlers, replaced: Partial<SessionConfig> = {}): Partial<SessionConfig> =>
  ({ makers: [makerEntry('wrong', maker({}, handlers) as unknown as MakerStrategy)], ...replaced })


describe('a maker’s mistake stops the run and names maker and handler', () => {
  it.each([NaN, undefined, 0])('a quote at the probability %s', (probability) => {
    const failure = failureOf(withMaker(() => ({ onRequest: (request, desk) => desk.quote(request, { probability: probability as number, validMs: 8000 }) })))
    expect(failure.name).toBe('StrategyFailure')
    expect(failure.message).toMatch(/^strategy of wrong threw in onRequest at \d+ µs: a quote needs a finite probability above 0/)
  })
})
