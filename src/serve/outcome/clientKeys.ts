import { assert } from '../../unit/assert.ts'
import { MS_US } from '../../unit/time.ts'
import { KEY_MAX, OutcomeOp } from '../../venue/outcome/protocol/commands.ts'
import type { OutcomeGateProfile } from '../../venue/outcome/protocol/gate.ts'
import type { ClientKeys } from '../../venue/outcome/wire/identity.ts'
import { Retention } from '../retention.ts'

/** Keys that a session makes up for its accounts are numbered from 1, and never reach this. */
const FIRST = 134_217_728

/** A success that a key is bound to. */
export interface KeptAnswer {
  readonly status: number
  readonly body: object | null
}

interface KnownKey {
  readonly text: string
  readonly number: number
  /** Calls with it that have not been answered yet. */
  underWay: number
  /** The gate may remember an answer for it until then, µs. */
  untilUs: number
  /** What a repeat is answered with again. */
  answer: KeptAnswer | null
  /** It is the id of an acceptance. */
  isAcceptance: boolean
}

interface AccountKeys {
  readonly numbers: Map<string, KnownKey>
  readonly keys: Map<number, KnownKey>
  /** The next number, unless another key has it. */
  next: number
}

/**
 * The Idempotency-Keys that clients sent, numbered for each account as they come. A key is known while a call with it waits, and as long as the
 * gate remembers the answer to it (OM-112). One that became the id of an acceptance is known to the end of the session, as that acceptance is.
 */
export class ClientKeyBook implements ClientKeys {
  private readonly accounts = new Map<number, AccountKeys>()
  /** Keys that were used, by how long the gate remembers the answer. */
  private declare readonly used: Retention<readonly [AccountKeys, KnownKey]>
  private declare readonly usedToAccept: Retention<readonly [AccountKeys, KnownKey]>
  private declare readonly last: number

  /** @param last the highest number of a key. After that numbers begin again, with those that no known key has. */
  constructor({ idempotencyRetentionMs, acceptRetentionMs }: Pick<OutcomeGateProfile, 'idempotencyRetentionMs' | 'acceptRetentionMs'>, last = KEY_MAX) {
    this.last = last
    this.used = new Retention(idempotencyRetentionMs * MS_US)
    this.usedToAccept = new Retention(acceptRetentionMs * MS_US)
  }

  /** A call comes with a key. Returns the key's number. */
  enter(account: number, text: string): number {
    let own = this.accounts.get(account)
    if (own === undefined) this.accounts.set(account, own = { numbers: new Map(), keys: new Map(), next: FIRST })
    let key = own.numbers.get(text)
    if (key === undefined) {
      const number = this.freeNumber(own)
      key = { text, number, underWay: 0, untilUs: -Infinity, answer: null, isAcceptance: false }
      own.numbers.set(text, key)
      own.keys.set(number, key)
    }
    key.underWay++
    return key.number
  }

  private freeNumber(own: AccountKeys): number {
    assert(own.keys.size <= this.last - FIRST, 'memory ends before the numbers of known keys do')
    const following = (number: number): number => (number === this.last ? FIRST : number + 1)
    let number = own.next
    while (own.keys.has(number)) number = following(number)
    own.next = following(number)
    return number
  }

  /**
   * A call with a key has been answered. `isRemembered`: the gate remembers an answer for the key, from now on at the latest. `op` is that of
   * the answer. A key that the gate never bound, such as that of a refusal for a limit or a scope, is forgotten.
   */
  answered(account: number, number: number, op: number, isRemembered: boolean, nowUs: number): void {
    const own = this.accounts.get(account)
    const key = own?.keys.get(number)
    if (own === undefined || key === undefined) return
    key.underWay--
    if (isRemembered) {
      const retention = op === OutcomeOp.acceptQuote ? this.usedToAccept : this.used
      key.untilUs = Math.max(key.untilUs, nowUs + retention.keptUs)
      retention.add([own, key], nowUs)
    } else forget(own, key, nowUs)
    for (const [of, one] of [...this.used.due(nowUs), ...this.usedToAccept.due(nowUs)]) forget(of, one, nowUs)
  }

  /** Binds a success to a key. */
  keep(account: number, number: number, answer: KeptAnswer): void {
    const key = this.accounts.get(account)?.keys.get(number)
    if (key !== undefined) key.answer = answer
  }

  kept(account: number, number: number): KeptAnswer | null {
    return this.accounts.get(account)?.keys.get(number)?.answer ?? null
  }

  /** A key has become the id of an acceptance. */
  accepted(account: number, number: number): void {
    const key = this.accounts.get(account)?.keys.get(number)
    if (key !== undefined) key.isAcceptance = true
  }

  textOf(account: number, number: number): string | null {
    return this.accounts.get(account)?.keys.get(number)?.text ?? null
  }
}

function forget({ numbers, keys }: AccountKeys, key: KnownKey, nowUs: number): void {
  if (nowUs < key.untilUs || key.underWay > 0) return
  key.answer = null
  if (key.isAcceptance) return
  numbers.delete(key.text)
  keys.delete(key.number)
}
