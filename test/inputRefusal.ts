import { expect } from 'vitest'
import { InputError } from '../src/unit/inputError.ts'

/** The user's mistake that `act` refuses with. The test fails when `act` returns, or throws anything else. */
export function refusal(act: () => unknown): InputError {
  try {
    act()
  } catch (error) {
    expect(error).toBeInstanceOf(InputError)
    return error as InputError
  }
  return expect.unreachable()
}
