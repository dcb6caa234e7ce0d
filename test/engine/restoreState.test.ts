import { describe, expect, it } from 'vitest'
import { type MakerHandlers, type MakerStrategy, maker } from '../../src/agent/maker.ts'
import { restoreState } from '../../src/agent/facades/restoreState.ts'
import { Session } from '../../src/engine/session.ts'
import { Bug } from '../../src/unit/assert.ts'
import { makerEntry, sessionConfig, WORLD_START_US } from './world.ts'

describe('a strategy’s state', () => {
  it('is restored in the objects that its closures hold', () => {
    const inner = { n: 5, gone: 1 }
    const list: unknown[] = [1, { deep: 1 }, 3]
    const deep = list[1]
    const column = Float64Array.of(1, 2)
    const state = { extra: 1, inner, list, column, plain: 1 }
    restoreState(state, { list: [7, { deep: 8 }], inner: { n: 6, added: [1] }, column: Float64Array.of(3, 4), plain: 'text' })
    expect(state).toEqual({ list: [7, { deep: 8 }], inner: { n: 6, added: [1] }, column: Float64Array.of(3, 4), plain: 'text' })
    expect([state.inner === inner, state.list === list, list[1] === deep, state.column === column]).toEqual([true, true, true, true])
    // The order of keys is part of what a strategy sees.
    expect(Object.keys(state)).toEqual(['list', 'inner', 'column', 'plain'])
  })

  it('keeps nothing of the image', () => {
    const image = { list: [[1]], inner: { a: { b: 1 } }, column: Int32Array.of(1) }
    const state: { [name: string]: unknown } = { column: new Int32Array(3) }
    restoreState(state, image)
    image.list[0]![0] = 2
    image.inner.a.b = 2
    image.column[0] = 2
    expect(state).toEqual({ list: [[1]], inner: { a: { b: 1 } }, column: Int32Array.of(1) })
  })

  it('calls nothing of the strategy’s with what is the image’s', () => {
    const given: unknown[] = []
    const own = { value: (...values: unknown[]) => { given.push(...values) } }
    const column = Object.defineProperty(Float64Array.of(1, 2), 'set', own)
    const list = Object.defineProperties([1], { splice: own, push: own })
    const state: { [name: string]: unknown } = { column, list }
    const image = { column: Float64Array.of(3, 4), list: [{ a: 1 }, 2] }
    restoreState(state, image)
    expect([given, [...column], list]).toEqual([[], [3, 4], [{ a: 1 }, 2]])
    expect(list[0]).not.toBe(image.list[0])
  })

  it('takes lists and maps for different things', () => {
    const state: { [name: string]: unknown } = { a: [1], b: { 0: 1 }, c: null }
    restoreState(state, { a: { 0: 2 }, b: [2], c: { d: 1 } })
    expect(state).toEqual({ a: { 0: 2 }, b: [2], c: { d: 1 } })
  })
})

const entry = (handlers: () => MakerHandlers) => makerEntry('counting', maker({}, handlers) as unknown as MakerStrategy)

describe('a checkpoint', () => {
  it('goes on with what closures hold of nested state', () => {
    /** Quotes cheaper and cheaper, by a counter that the handler reaches without `state`. */
    const counting = entry(() => {
      const counter = { quotes: 0 }
      const widths = new Float64Array(2).fill(0.5)
      return {
        state: { counter, widths },
        onRequest(request, desk) {
          counter.quotes++
          widths[counter.quotes % 2]! *= 0.999
          desk.quote(request, { probability: Math.max(0.01, widths[0]! * widths[1]!), validUs: 8_000_000 })
        },
      }
    })
    const config = sessionConfig(30, { makers: [counting] })
    const whole = new Session(config)
    whole.runToEnd()
    const first = new Session(config)
    first.run(400)
    expect(first.nowUs).toBeLessThan(WORLD_START_US + 20_000_000)
    const second = new Session(config)
    second.restore(first.snapshot())
    second.runToEnd()
    expect(second.stateHash()).toBe(whole.stateHash())
  })

  it('is not put into a strategy without state', () => {
    const image = new Session(sessionConfig(30, { makers: [entry(() => ({ state: { n: 1 } }))] })).snapshot()
    const other = new Session(sessionConfig(30, { makers: [entry(() => ({}))] }))
    expect(() => other.restore(image)).toThrow(Bug)
  })
})
