import type { Client, Headers, Seen } from './client.ts'
import { holds } from './expect.ts'
import type { ServedProcess, Service } from './session.ts'

/** Seats of bettors that a session has for its rules. */
const SEATS = 24
/** So many of them, the last ones, are no rule's own: rows name them. */
const NAMED = 4
const POLL_MS = 50
/** What is answered 404 so often is not there, and will not be. */
const ABSENT_MAX = 40
/** How often a fault comes. */
const FAULT_ROUNDS = 12
/** So often is played what has only seconds by the wall, when others on the machine let them pass. */
const TRIES = 5

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** An instant of the wire, in UTC. */
export const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** How a bettor's seats are called in sessions of a service. */
const BETTOR: Readonly<Record<Service, string>> = { parlay: 'b', outcome: 't' }

/** What of a session's scenario rules may change: the service's entry, the begin, and lines after those of the makers. */
export interface ScenarioTerms {
  readonly service: Service
  readonly entry: string
  readonly from?: string
  readonly rest?: string
}

/** A scenario whose seats are all for clients. */
export const scenarioOf = ({ service, entry, from = '2025-06-19T22:30:00Z', rest = '' }: ScenarioTerms): string => `version: 1
name: conformance
mode: interactive
services: { ${service}: { ${entry} } }
history: { store: quickstart, from: ${from} }
settlement: { lag: 1m, missing: exclude, scalar: void }
bettors:
${Array.from({ length: SEATS }, (_, i) => `  - { external: true, name: ${BETTOR[service]}${i + 1}, bankroll: 1000 USDC }`).join('\n')}
makers:
${[1, 2, 3].map((n) => `  - { external: true, name: m${n}, capital: 100000 USDC }`).join('\n')}
${rest}`

/**
 * Faults one after another, in seconds from the begin on, and all of them again and again: a client that comes late, because others load the
 * machine, meets each in a later round.
 */
export const faultRounds = (faults: readonly { readonly fault: string; readonly from: number; readonly for: number }[], everySeconds: number): string =>
  Array.from({ length: FAULT_ROUNDS }, (_, round) => faults.map((one) => `{ fault: ${one.fault}, from: ${one.from + round * everySeconds}s, for: ${one.for}s }`)).flat().join(', ')

/** A session as the clients of one rule find it, whichever its service is. */
export class SessionWorld {
  protected declare readonly served: ServedProcess
  private declare readonly noted: Seen[]
  private declare readonly place: number

  /** @param place which of its area's rules is played, so that rules side by side take different bettors. */
  constructor(served: ServedProcess, noted: Seen[], place: number) {
    this.served = served
    this.noted = noted
    this.place = place
  }

  /** A bettor of this rule's own. */
  get mine(): string {
    return this.bettor(this.place % (SEATS - NAMED) + 1)
  }

  /** Another one. */
  get other(): string {
    return this.bettor(this.place % (SEATS - NAMED) + 2)
  }

  private bettor(number: number): string {
    return `${BETTOR[this.served.service]}${number}`
  }

  get nobody(): Client {
    return this.client({})
  }

  seat(name: string): Readonly<Record<string, string>> {
    return this.served.seats[name]!
  }

  /** Ends the session. */
  drain(): void {
    this.served.drain()
  }

  protected client(headers: Headers): Client {
    return this.served.client(headers, this.noted)
  }
}

/** Repeats a call until its answer is as it is waited for, and returns it. Gives up when it is late, and at what is not there. */
export async function until(call: () => Promise<Seen>, isIt: (seen: Seen) => boolean, what: string, ms = 60_000): Promise<Seen> {
  let absent = 0
  for (const endMs = Date.now() + ms; ;) {
    const seen = await call()
    absent = seen.status === 404 ? absent + 1 : 0
    if (isIt(seen)) return seen
    holds(Date.now() < endMs && absent < ABSENT_MAX, `${what}; last answered ${seen.status} ${seen.text.slice(0, 200)}`)
    await new Promise((resolve) => { setTimeout(resolve, POLL_MS) })
  }
}

/**
 * Observations of a session that moves between one call and the next: repeats them until they fit each other, as those of one instant do.
 * Where a rule is broken they never do.
 */
export async function fitting<T>(observe: () => Promise<T>, doFit: (seen: T) => boolean, what: string, ms = 60_000): Promise<T> {
  for (const endMs = Date.now() + ms; ;) {
    const seen = await observe()
    if (doFit(seen)) return seen
    holds(Date.now() < endMs, `${what}; last seen ${JSON.stringify(seen)?.slice(0, 200)}`)
    await new Promise((resolve) => { setTimeout(resolve, POLL_MS) })
  }
}

/**
 * What a service gives only seconds for: it is played anew when they had passed, since a machine that others load may need longer.
 * @param play returns null when it was late.
 */
export async function inGoodTime<T>(play: () => Promise<T | null>, what: string): Promise<T> {
  for (let tries = 1; ; tries++) {
    const played = await play()
    if (played !== null) return played
    holds(tries < TRIES, `${what}, in ${TRIES} tries`)
  }
}
