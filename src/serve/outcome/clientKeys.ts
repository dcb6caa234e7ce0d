import { assert } from '../../unit/assert.ts'
import { KEY_MAX } from '../../venue/outcome/protocol/commands.ts'
import type { ClientKeys } from '../../venue/outcome/wire/identity.ts'

/** Keys that a session makes up for its accounts are numbered from 1, and never reach this. */
const FIRST = 134_217_728

/** The Idempotency-Keys that clients sent, numbered for each account as they come. */
export class ClientKeyBook implements ClientKeys {
  private readonly numbers = new Map<string, number>()
  private readonly texts = new Map<number, string[]>()

  numberOf(account: number, text: string): number {
    const known = this.numbers.get(`${account} ${text}`)
    if (known !== undefined) return known
    let texts = this.texts.get(account)
    if (texts === undefined) this.texts.set(account, texts = [])
    const number = FIRST + texts.length
    assert(number <= KEY_MAX, 'there are numbers left for keys')
    texts.push(text)
    this.numbers.set(`${account} ${text}`, number)
    return number
  }

  textOf(account: number, key: number): string | null {
    return this.texts.get(account)?.[key - FIRST] ?? null
  }
}
