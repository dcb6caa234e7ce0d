import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/unit/inputError.ts'

describe('InputError', () => {
  it('says where, what and what was expected', () => {
    const error = new InputError('unknown unit "cents"', {
      position: { file: 'a.yaml', line: 4, column: 17 },
      hint: 'write 2c or 0.02 USDC',
    })
    expect(error.describe()).toBe('a.yaml:4:17: unknown unit "cents"\n  hint: write 2c or 0.02 USDC')
  })

  it('leaves out what it does not know', () => {
    expect(new InputError('no such store').describe()).toBe('no such store')
    expect(new InputError('empty', { position: { file: 'a.csv' } }).describe()).toBe('a.csv: empty')
    expect(new InputError('empty', { position: { file: 'a\nb.csv' } }).describe()).toBe('a\\u000ab.csv: empty')
    expect(new InputError('short row', { position: { file: 'a.csv', line: 3 } }).describe()).toBe('a.csv:3: short row')
  })

  it('keeps its cause', () => {
    const cause = new Error('ENOENT')
    expect(new InputError('cannot read a.csv', { cause }).cause).toBe(cause)
    expect('cause' in new InputError('no cause')).toBe(false)
  })

  it('shows the ends of a line of more than 2,000 letters', () => {
    const said = new InputError(`the rule ${'x'.repeat(70_000)} is none`, { hint: 'y'.repeat(2000 - '  hint: '.length) }).describe()
    expect(said).toMatch(/^the rule x{991} … 68,017 letters … x{992} is none\n {2}hint: y+$/)
  })
})
