import { exactUsd, thousands } from '../../unit/numberText.ts'
import { USDC } from '../../unit/micros.ts'

/** Why a maker lets a request go by that one of its limits forbids: the parameter's name, and its value, such as `cap of 5,000 USDC`. */
export const limitReason = (parameter: string, limitMicros: number): string =>
  `${parameter} of ${limitMicros % USDC === 0 ? thousands(limitMicros / USDC) : exactUsd(limitMicros, 2)} USDC`
