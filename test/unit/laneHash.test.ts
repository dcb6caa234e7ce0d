import { describe, expect, it } from 'vitest'
import { hashImage, LaneHash } from '../../src/unit/laneHash.ts'
import type { Image } from '../../src/unit/snapshot.ts'

const hashOfWords = (...words: number[]): string => {
  const hash = new LaneHash()
  for (const word of words) hash.word(word)
  return hash.hex()
}

const hashOf = (image: Image): string => {
  const hash = new LaneHash()
  hashImage(hash, image)
  return hash.hex()
}

describe('LaneHash', () => {
  it('is 40 hex digits that end in the number of words', () => {
    expect(hashOfWords()).toBe('243f6a8885a308d313198a2e0370734400000000')
    expect(hashOfWords(1, 2, 3)).toMatch(/^[0-9a-f]{32}00000003$/)
  })

  it('changes with every word, its place and their number', () => {
    const words = [5, 0, -1, 2 ** 31 - 1, 7, 7, 0, 12]
    const hashes = new Set([hashOfWords(...words), hashOfWords(...words, 0), hashOfWords(...words.slice(0, -1))])
    for (let i = 0; i < words.length; i++) {
      for (let bit = 0; bit < 32; bit++) hashes.add(hashOfWords(...words.with(i, words[i]! ^ (1 << bit))))
    }
    hashes.add(hashOfWords(...words.toReversed()))
    expect(hashes.size).toBe(3 + 8 * 32 + 1)
  })

  it('takes a view word by word, and starts anew after reset', () => {
    const hash = new LaneHash()
    hash.words(Int32Array.of(9, 1, 2, 3, 9), 1, 3)
    expect(hash.hex()).toBe(hashOfWords(1, 2, 3))
    hash.reset()
    expect(hash.hex()).toBe(hashOfWords())
  })

  it('tells texts apart, and where they end', () => {
    const pair = (a: string, b: string): string => {
      const hash = new LaneHash()
      hash.text(a)
      hash.text(b)
      return hash.hex()
    }
    expect(pair('ab', 'c')).not.toBe(pair('a', 'bc'))
    expect(pair('a', '')).not.toBe(pair('', 'a'))
  })
})

describe('hashImage', () => {
  it('does not depend on the order in which names were written', () => {
    expect(hashOf({ a: 1, b: [2, 'x'], c: null })).toBe(hashOf({ c: null, b: [2, 'x'], a: 1 }))
  })

  it('tells apart what differs anywhere', () => {
    const images: Image[] = [
      { a: 1 }, { a: 2 }, { b: 1 }, { a: 1, b: 1 }, { a: '1' }, { a: true }, { a: false }, { a: null }, { a: [1] }, { a: [1, 1] },
      { a: { a: 1 } }, { a: Int32Array.of(1, 2) }, { a: Int32Array.of(2, 1) }, { a: Float64Array.of(1, 0.5) }, { a: 2 ** 53 - 1 },
      { a: 2 ** 53 - 2 }, { a: { a: 1, b: 1 } }, { a: { a: 1 }, b: 1 }, [], [0], 'a', 0,
    ]
    expect(new Set(images.map(hashOf)).size).toBe(images.length)
  })
})
