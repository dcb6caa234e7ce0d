import type { Hex } from 'viem'
import { encodeErrorResult } from 'viem'
import { expect, it } from 'vitest'
import { VAULT } from '../../../src/chain/evm/abi.ts'
import { refusalOf } from '../../../src/chain/evm/refusal.ts'

const ERROR = [{ type: 'error', name: 'Error', inputs: [{ name: 'message', type: 'string' }] }] as const

it('what a contract says in its own words is visible, in one line of 2,000 letters', () => {
  const words = (text: string): string => refusalOf(encodeErrorResult({ abi: ERROR, errorName: 'Error', args: [text] })).reason
  expect(words('\u001b[2J\nno')).toBe('Error(message \\u001b[2J no)')
  expect(words('x'.repeat(100_000))).toMatch(/^Error\(message x{986} … 98,015 letters … x{999}\)$/)
})

it('data of no error are quoted in part', () => {
  expect(refusalOf('0x1234').reason).toBe('reverted with 0x1234')
  expect(refusalOf(`0x${'1'.repeat(10_000)}`).reason).toMatch(/^reverted with 0x1{984} … 8,016 letters … 1{1000}$/)
})

it('of a batch that is in another is that of no batch: no depth of them is followed', () => {
  const inBatch = (index: bigint, reason: Hex): Hex => encodeErrorResult({ abi: VAULT.abi, errorName: 'CallFailed', args: [index, reason] })
  expect(refusalOf(inBatch(2n, '0x'))).toMatchObject({ reason: 'reverted without a reason', index: 2 })
  expect(refusalOf(inBatch(2n, inBatch(3n, '0x')))).toMatchObject({ reason: 'CallFailed(index 3, reason 0x)', index: 2 })
})
