/** What an object is set aside as that no part of a mapping knows. */
export const UNKNOWN_OBJECT = 'unknown object'

/** How far parts came with an object. What one part makes of it, another does not take back. */
const SEEN = 1
const MISSED = 2
const LEFT = 3
const LACKING = 4
const KNOWN = 5

/** Where an object lies: its line, or its place in a document, from 1, and which it is of a line that is a list, from 0. */
export interface ObjectPlace {
  readonly number: number
  readonly within: number
}

/** How many objects there are, and the place of the first one. */
export interface SomeObjects extends ObjectPlace {
  readonly count: number
}

/** What an account says, as data. */
export interface ObjectStates {
  readonly first: Uint8Array
  /** Of objects that are not the first ones of their lines, by line. */
  readonly others: ReadonlyMap<number, readonly number[]>
}

/** Which objects of a file of JSON the parts of a mapping know, each of which is offered all of them. */
export class ObjectAccount {
  private states = new Uint8Array(1024)
  private readonly others = new Map<number, number[]>()

  /** A part is offered an object that it does not know. */
  see(number: number, within: number): void {
    this.raise(number, within, SEEN)
  }

  /** A part could say by `where` whether it asks for an object, which has no rows for it. */
  miss(number: number, within: number): void {
    this.raise(number, within, MISSED)
  }

  /** A part leaves an object out by `where`. */
  leave(number: number, within: number): void {
    this.raise(number, within, LEFT)
  }

  /** A part asks for an object by `where`, which lacks what the part needs. */
  lack(number: number, within: number): void {
    this.raise(number, within, LACKING)
  }

  /** An object is of a part, or has been told of. */
  know(number: number, within: number): void {
    this.raise(number, within, KNOWN)
  }

  /** Whether a part knows one of the objects. */
  get isAnyKnown(): boolean {
    return this.inState(KNOWN) !== null || this.inState(LEFT) !== null
  }

  /** Objects that no part knows. */
  get unknown(): SomeObjects | null {
    return this.inState(SEEN, LACKING)
  }

  /** Objects without rows that no part knows otherwise. */
  get missed(): SomeObjects | null {
    return this.inState(MISSED)
  }

  data(): ObjectStates {
    return { first: this.states, others: this.others }
  }

  /** Adds what other parts know of the same file. */
  merge({ first, others }: ObjectStates): void {
    first.forEach((state, number) => { if (state > 0) this.raise(number, 0, state) })
    for (const [number, states] of others) states.forEach((state, within) => { if (state > 0) this.raise(number, within, state) })
  }

  private inState(...asked: readonly number[]): SomeObjects | null {
    const others = [...this.others].flatMap(([number, states]) => states.flatMap((one, within) => (asked.includes(one) ? [{ number, within }] : [])))
    const at = this.states.findIndex((one) => asked.includes(one))
    const places = at < 0 ? others : [...others, { number: at, within: 0 }]
    if (places.length === 0) return null
    const first = places.reduce((least, one) => (one.number < least.number || (one.number === least.number && one.within < least.within) ? one : least))
    return { ...first, count: others.length + this.states.reduce((count, one) => count + (asked.includes(one) ? 1 : 0), 0) }
  }

  private raise(number: number, within: number, state: number): void {
    if (within > 0) {
      const states = this.others.get(number) ?? []
      states[within] = Math.max(states[within] ?? 0, state)
      this.others.set(number, states)
      return
    }
    if (number >= this.states.length) {
      const longer = new Uint8Array(Math.max(number + 1, this.states.length * 2))
      longer.set(this.states)
      this.states = longer
    }
    if (this.states[number]! < state) this.states[number] = state
  }
}

/** A file of JSON that several parts of a mapping read, as one of them is offered it. */
export interface OfferedObjects {
  readonly account: ObjectAccount
  /** An object is of the part where one of its rows has a column of each list. */
  readonly needs: readonly (readonly string[])[]
  /** An object that has these columns, and other texts in one of them, is known to the part, which leaves it out. */
  readonly where: readonly { readonly column: string; readonly texts: ReadonlySet<string> }[]
  /** The column of a stream's numbers, which have no gaps: those of objects that are left out count. Null where there are none. */
  readonly sequence: string | null
}
