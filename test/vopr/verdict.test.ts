import { describe, expect, it } from 'vitest'
import { isOfPlanted, isVerdict, searchEndOf, type Verdict } from './verdict.ts'

const FOUND = 'from seed 7 on\nseed 9 fails after 3 seeds and 5 s of CPU time; again: npm run vopr -- --seed 9\n  model: position 12 has 5 and not 6\n    at more\n'
const verdict: Verdict = { seeds: 3, cpuSeconds: 5, check: 'model', about: 'position 12 has 5 and not 6' }

describe('the end of a search for a planted fault', () => {
  it('is a verdict, or nothing', () => {
    expect(searchEndOf(1, FOUND)).toEqual(verdict)
    expect(searchEndOf(0, 'from seed 7 on\n40 seeds, up to 46: nothing found\n')).toBe('nothing')
  })

  it.each([
    ['a process that does not start', 1, 'SyntaxError: Unexpected token'], ['memory that runs out', 'SIGKILL', 'from seed 7 on\n'],
    ['a wrong option', 9, "node: bad option\n"], ['a kill in the middle of a verdict', 'SIGKILL', FOUND],
  ])('is no verdict with %s', (_, ended, output) => {
    const end = searchEndOf(ended, output)
    expect(isVerdict(end)).toBe(false)
    expect(end).toEqual({ brokenOff: ended, last: output.trimEnd().split('\n').at(-1) })
  })

  it('tells the error of a process that did not start', () => {
    expect(searchEndOf(1, 'file:1\nSyntaxError: Unexpected token\n    at x\n\nNode.js v24\n')).toEqual({ brokenOff: 1, last: 'SyntaxError: Unexpected token' })
  })

  it('counts where the same seed says nothing, or something else, without the fault', () => {
    expect(isOfPlanted(verdict, 'nothing')).toBe(true)
    expect(isOfPlanted(verdict, { ...verdict, check: 'figures' })).toBe(true)
    expect(isOfPlanted(verdict, { ...verdict, about: 'position 12 is not there' })).toBe(true)
  })

  it('does not count where it says the same without the fault, or cannot be played there', () => {
    expect(isOfPlanted(verdict, verdict)).toBe(false)
    expect(isOfPlanted(verdict, { ...verdict, seeds: 1, about: 'position 13 has 8 and not 9' })).toBe(false)
    expect(isOfPlanted(verdict, { brokenOff: 1, last: 'ENOSPC' })).toBe(false)
  })
})
