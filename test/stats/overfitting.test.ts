import { describe, expect, it } from 'vitest'
import { normalQuantile } from '../../src/math/normal.ts'
import { counterUniform } from '../../src/stats/counterUniform.ts'
import { meanResult, overfitting, sharpeRatio } from '../../src/stats/overfitting.ts'

/** Columns, one per variant. */
const resultsOf = (...variants: readonly (readonly number[])[]): [Float64Array, number] =>
  [Float64Array.from(variants[0]!.flatMap((_, period) => variants.map((variant) => variant[period]!))), variants.length]

describe('the probability of overfitting', () => {
  it('is 0 where one variant is the best in every half', () => {
    const found = overfitting(...resultsOf([5, 6, 5, 6, 5, 6, 5, 6], [1, -1, 1, -1, 1, -1, 1, -1]))
    expect(found).toMatchObject({ probability: 0, combinations: 6, blocks: 4, lossProbability: 0 })
    // Rank 2 of 2: ω = ⅔, logit ln 2.
    expect([...found!.logits]).toEqual(Array.from({ length: 6 }, () => Math.log(2)))
  })

  it('is 1 where what is best in one half is worst in the other', () => {
    // Two blocks: A earns in the first and loses in the second, B the other way round.
    const found = overfitting(...resultsOf([5, 6, -5, -6], [-5, -6, 5, 6]))
    expect(found).toMatchObject({ probability: 1, combinations: 2, blocks: 2, lossProbability: 1 })
    expect(found!.logits[0]).toBeCloseTo(Math.log(1 / 2), 14)
  })

  it('counts the combinations by hand', () => {
    // Blocks have two periods. By block A earns +, +, −, −, and B always a little. Of six halves A is chosen where its half holds more
    // + than −, which is {1, 2} alone. A is then last of two, so ω = ⅓. With one of each, where A's mean is 0, or with no +, B is chosen,
    // and is the best in the other half but in {3, 4}, where A is.
    const found = overfitting(...resultsOf([5, 6, 5, 6, -5, -6, -5, -6], [0.1, 0.2, 0.1, 0.2, 0.1, 0.2, 0.1, 0.2]), sharpeRatio, 4)
    expect(found!.combinations).toBe(6)
    // B's ratio .15/.05 = 3 is below A's 5.5/.5 = 11 in {1, 2} alone.
    expect(found!.probability).toBeCloseTo(2 / 6, 14)
    expect(found!.lossProbability).toBeCloseTo(1 / 6, 14)
  })

  it('gives equal variants the middle rank, which counts by half when it is shared', () => {
    expect(overfitting(...resultsOf([1, 2, 1, 3], [1, 2, 1, 3]))!.probability).toBe(0.5)
    expect(overfitting(...resultsOf([0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]))).toMatchObject({ probability: 0.5, lossProbability: 0 })
  })

  it('counts a tie in one combination by half, and the others whole', () => {
    // Ratios of mean to deviation. First half: A 1.5/.5 = 3, B 0; second half: both 1.5/.5 = 3. From the first A is chosen and ties in the
    // second: ½. From the second the first of both, A, is chosen and is above B in the first: 0.
    expect(overfitting(...resultsOf([1, 2, 1, 2], [-1, 1, 1, 2]))!.probability).toBe(0.25)
    // B first: it is chosen from the second as the first of equals, and is below A: 1, besides the ½.
    expect(overfitting(...resultsOf([-1, 1, 1, 2], [1, 2, 1, 2]))!.probability).toBe(0.75)
  })

  it('counts the middle of three whole where nobody shares it', () => {
    // Means 3 > 2 > 1 in the first half, 2, 3, 1 in the second, all with a deviation of ½: what is chosen is second in the other.
    expect(overfitting(...resultsOf([2.5, 3.5, 1.5, 2.5], [1.5, 2.5, 2.5, 3.5], [0.5, 1.5, 0.5, 1.5]))!.probability).toBe(1)
  })

  it('is near one half among ten worthless variants', () => {
    let sum = 0
    const worlds = 40
    for (let world = 0; world < worlds; world++) {
      const draw = counterUniform(`world ${world}`)
      const results = Float64Array.from({ length: 60 * 10 }, (_, i) => normalQuantile((draw(i) * 2 ** 32 + 0.5) / 2 ** 32))
      sum += overfitting(results, 10, sharpeRatio, 8)!.probability
    }
    expect(sum / worlds).toBeGreaterThan(0.4)
    expect(sum / worlds).toBeLessThan(0.65)
  })

  it('takes sixteen blocks where there are periods enough, and is undefined where there are none', () => {
    const results = Float64Array.from({ length: 2 * 33 }, (_, i) => Math.sin(i))
    expect(overfitting(results, 2)).toMatchObject({ blocks: 16, combinations: 12_870 })
    expect(overfitting(Float64Array.of(1, 2, 3, 4, 5, 6), 2)).toBeUndefined()
    expect(overfitting(Float64Array.of(1, 2, 3, 4, 5), 1)).toBeUndefined()
  })

  it('counts the periods that are left over, in the first blocks', () => {
    // Five periods are blocks of three and two. By mean the first variant is above 0 in both.
    expect(overfitting(...resultsOf([-1, -1, 3, 1, 1], [0, 0, 0, 0, 0]), meanResult)).toMatchObject({ blocks: 2, probability: 0 })
    // The last period alone puts the first variant below 0, in the second block.
    expect(overfitting(...resultsOf([1, 1, 1, 0, -9], [0, 0, 0, 0, 0]), meanResult)).toMatchObject({ blocks: 2, probability: 1 })
  })

  it('is that of the criterion which chooses', () => {
    // The first earns most in either half and sways; the second is steady and earns less: by ratio it is chosen and keeps its rank.
    const results = resultsOf([30, -20, 30, -20, 30, -20, 30, -20], [1, 1.5, 1, 1.5, 1, 1.5, 1, 1.5])
    expect(overfitting(...results, meanResult)).toMatchObject({ probability: 0, lossProbability: 0 })
    // Luck of one half: by the mean it is first there and last in the other, and the four combinations that mix its halves take the steady one.
    const lucky = resultsOf([50, 10, 50, 10, -50, -10, -50, -10], [1, 1.5, 1, 1.5, 1, 1.5, 1, 1.5])
    expect(overfitting(...lucky, sharpeRatio)!.probability).toBe(0)
    expect(overfitting(...lucky, meanResult)!.probability).toBeCloseTo(2 / 6, 12)
  })
})
