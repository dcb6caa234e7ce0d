import type { Abi, AbiParameter, Hex } from 'viem'
import { decodeErrorResult } from 'viem/utils'
import { shownWords } from '../../unit/visibleText.ts'
import { DONE_ERRORS, TEST_USDC, VAULT } from './abi.ts'

/** Errors of the vault, and of the token that it calls. */
const ERRORS: Abi = [...VAULT.abi, ...TEST_USDC.abi].filter(({ type }) => type === 'error')

/** Why the vault said no. */
export interface Refusal {
  /** Name of the error and its values, or what is known instead. */
  readonly reason: string
  /** The call had landed before. */
  readonly done: boolean
  /** Which call of a batch was refused, from 0. A single call is 0. */
  readonly index: number
  /** Id of the position that the error names. */
  readonly position: Hex | null
}

interface VaultError {
  readonly name: string
  readonly inputs: readonly AbiParameter[]
  readonly values: readonly unknown[]
}

/** The error that the data stand for, or null when it is none of these. */
function errorIn(data: Hex): VaultError | null {
  try {
    const { errorName, abiItem, args } = decodeErrorResult({ abi: ERRORS, data })
    return { name: errorName, inputs: abiItem.type === 'error' ? abiItem.inputs : [], values: (args ?? []) as readonly unknown[] }
  } catch {
    return null
  }
}

/** Reads what the vault reverted with. The error of a batch has the error of one of its calls in it, which has none in it. */
export function refusalOf(data: Hex, isOfBatch = true): Refusal {
  if (data === '0x') return { reason: 'reverted without a reason', done: false, index: 0, position: null }
  const error = errorIn(data)
  if (error === null) return { reason: shownWords(`reverted with ${data}`), done: false, index: 0, position: null }
  const { name, inputs, values } = error
  if (name === 'CallFailed' && isOfBatch) return { ...refusalOf(values[1] as Hex, false), index: Number(values[0]) }
  const position = inputs.findIndex((input) => input.name === 'positionId')
  return {
    reason: shownWords(`${name}(${values.map((value, i) => `${inputs[i]?.name ?? i} ${String(value)}`).join(', ')})`),
    done: DONE_ERRORS.has(name),
    index: 0,
    position: position < 0 ? null : values[position] as Hex,
  }
}
