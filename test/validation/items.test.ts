import { describe, expect, it } from 'vitest'
import { passes } from '../../src/validation/figure.ts'
import { VALIDATION_ITEMS } from '../../src/validation/items.ts'
import { itemOf, VALIDATION_SEED } from '../../src/validation/validate.ts'

/** Figures that the wrong parameter moves by less than a small sample can tell, whatever the seed; the others of their items fail. */
const TOO_CLOSE: readonly string[] = ['M.cash-parlay', 'M.cash-outcome', 'M.permuted']

const measured = new Map<string, ReturnType<ReturnType<typeof itemOf>['measure']>>()

/** Figures of an item, measured once. */
function figuresOf(id: string, wrong = false) {
  const key = `${id} ${wrong}`
  const figures = measured.get(key) ?? itemOf(id).measure({ seed: VALIDATION_SEED, size: 'small', wrong })
  measured.set(key, figures)
  return figures
}

describe.each(VALIDATION_ITEMS.map(({ id }) => id))('item %s', (id) => {
  it('meets its known values through the services', async () => {
    const figures = await figuresOf(id)
    expect(figures.filter((figure) => !passes(figure)).map(({ id: figure }) => figure)).toEqual([])
    for (const { id: figure, samples, committed } of figures) {
      expect(figure.startsWith(`${id}.`)).toBe(true)
      expect(samples).toBeGreaterThan(100)
      expect(committed).toBe(samples)
    }
  })

  it('fails when a parameter is wrong', async () => {
    const figures = (await figuresOf(id, true)).filter((figure) => !TOO_CLOSE.includes(figure.id))
    const holds = figures.filter(({ claim, known, low, high }) => (claim === 'below' ? high < known : low <= known && known <= high))
    expect(holds.map(({ id: figure }) => figure)).toEqual([])
  })
})

describe('fills of a figure', () => {
  const samplesOf = async (id: string) => Object.fromEntries((await figuresOf(id)).map((figure) => [figure.id, figure.samples]))

  it('are all that were asked for where the best maker always trades', async () => {
    expect(new Set(Object.values(await samplesOf('1')))).toEqual(new Set([1_600]))
    expect(new Set(Object.values(await samplesOf('2')))).toEqual(new Set([1_250]))
  })

  it('are the parlays of its kind alone: 4 or 2 for each of 2,500 games', async () => {
    expect(await samplesOf('6')).toEqual({
      '6.pair-half': 10_000, '6.pair-high': 5_000, '6.opposed': 10_000, '6.three': 5_000, '6.four': 5_000, '6.five': 5_000,
    })
    // A session of 1,000 requests shares them out among its four figures.
    const ofHold = Object.values(await samplesOf('7'))
    expect(ofHold.reduce((sum, samples) => sum + samples, 0)).toBeLessThanOrEqual(1_000)
  })

  it('are those that its share of 3,000 requests says', async () => {
    const figures = await figuresOf('4')
    for (const id of ['liquid', 'illiquid']) {
      const { measured, samples } = figures.find((figure) => figure.id === `4.hit-${id}`)!
      expect(samples).toBe(Math.round((measured / 100) * 3_000))
    }
  })

  it('leave out the begin of a queue, and fills of other makers', async () => {
    expect(Object.values(await samplesOf('8'))).toEqual([11_000, 11_000])
    const { '11.variance-ratio': ofTested } = await samplesOf('11')
    // Two sessions of 2,000 requests with four makers nearly alike: about a quarter each.
    expect(ofTested).toBeGreaterThan(700)
    expect(ofTested).toBeLessThan(1_300)
  })
})

describe('the interval of a mean wait', () => {
  // Waits vary by ρ(2 − ρ)/(μ − λ)² = 0.96 / 0.04 = 24 s² with exponential service. With constant service E[W²] is 2 · 2² + λ / 3(1 − ρ) =
  // 8 + 4/3 s², the variance 16/3 s². Independent waits would leave 3.29 standard errors.
  it.each([['8.exponential', 24], ['8.constant', 16 / 3]])('is many times that of independent waits: %s', async (id, variance) => {
    const { low, high, samples } = (await figuresOf('8')).find((figure) => figure.id === id)!
    expect((high - low) / 2).toBeGreaterThan(10 * Math.sqrt(variance / samples))
  })
})

describe('the figure of outcomes in changed places', () => {
  it('rests on the same fills as that of recorded ones, and on other payouts', async () => {
    const figures = await figuresOf('M')
    const [recorded, permuted] = ['M.cash-parlay', 'M.permuted'].map((id) => figures.find((figure) => figure.id === id)!)
    expect(permuted!.samples).toBe(recorded!.samples)
    expect(permuted!.measured).not.toBe(recorded!.measured)
    // There are 25 evenings with 20 markets.
    expect(permuted!.settings['outcomesMoved']).toBeGreaterThan(50)
    expect(permuted!.settings['outcomesMoved']).toBeLessThan(250)
  })
})
