import type { ServiceName } from '../engine/config.ts'
import type { CallListener, ExternalCall } from '../engine/externalCalls.ts'
import type { Session } from '../engine/session.ts'
import type { ExternalRow } from '../record/externalTable.ts'
import type { ServedRun } from '../record/manifest.ts'
import { assert } from '../unit/assert.ts'
import { NEVER_US } from '../unit/time.ts'
import { playOn } from './served.ts'

/** A turn is another one than the run's. */
export class TurnDifference extends Error {
  override readonly name = 'TurnDifference'
}

/** What a session that is played again says of its seats. */
export interface ReplayedSeats {
  /** `turnsEndUs` of the session. */
  readonly turnsEndUs: number
  /** Number of the account of a seat. */
  accountOf(name: string): number
}

interface Party {
  readonly service: ServiceName
  readonly account: number
  isHere: boolean
  /** Rises when it leaves: what was on its way to it then comes to nobody. */
  stay: number
}

const NOBODY: CallListener = { answered: () => {}, told: () => {} }

/**
 * Plays a session again in which virtual time waited for clients: in turn n its client does what the journal's turn n says. Turns must come to
 * the same clients, at the same instants, for the same reasons. Throws TurnDifference for the first that does not.
 */
export class LockstepReplay {
  private readonly rows: readonly ExternalRow[]
  private readonly ofTurn = new Map<number, ExternalRow[]>()
  private readonly turnRows = new Map<number, ExternalRow>()
  /** What came in between turns: clients that left or were back, and commands of the service's own. */
  private readonly between: ExternalRow[]
  private readonly parties = new Map<string, Party>()
  private readonly stoppedUs: number | null
  private session: Session | null = null
  private seats: ReplayedSeats | null = null
  private turns = 0
  private isOver = false
  /** It is found while a message is handed over, and told where the loop stands. */
  private difference: TurnDifference | null = null

  constructor(rows: readonly ExternalRow[], { stoppedUs }: Pick<ServedRun, 'stoppedUs'>) {
    this.rows = rows
    this.stoppedUs = stoppedUs
    this.between = rows.filter(isBetween)
    for (const row of rows) {
      if (row.kind === 'turn') this.turnRows.set(row.turn!, row)
      else if (!isBetween(row)) this.ofTurn.set(row.turn!, [...(this.ofTurn.get(row.turn!) ?? []), row])
    }
  }

  /** A message has reached a seat, by the name of the handler of a strategy. */
  hear(seat: { readonly name: string; readonly service: ServiceName }, why: string): void {
    const party = this.parties.get(keyOf(seat.service, this.seats!.accountOf(seat.name)))
    if (party !== undefined) this.begin(party, why)
  }

  play(session: Session, seats: ReplayedSeats): void {
    this.session = session
    this.seats = seats
    const startUs = session.nowUs
    this.playTo(session, startUs)
    for (const { service, account } of this.rows.filter(({ kind, why }) => kind === 'turn' && why === 'begin')) {
      const party: Party = { service, account, isHere: true, stay: 0 }
      this.parties.set(keyOf(service, account), party)
      this.begin(party, 'begin', true)
      this.endTurn(startUs)
    }
    for (;;) {
      const untilUs = this.between[0]?.atUs ?? this.stoppedUs ?? NEVER_US
      this.playTo(session, untilUs)
      if (session.turn !== null) this.endTurn(untilUs)
      else if (this.between.length > 0) this.comeIn(this.between.shift()!)
      else break
    }
    if (this.turns < this.turnRows.size) throw new TurnDifference(`turn ${this.turns + 1} does not come`)
  }

  private playTo(session: Session, untilUs: number): void {
    session.standAt(untilUs)
    playOn(session)
    if (this.difference !== null) throw this.difference
  }

  private comeIn(row: ExternalRow): void {
    if (row.kind === 'joined') return this.join(row)
    const { service, account } = row
    if (row.kind === 'left') return this.leave(row)
    this.session!.bringCall(service, account, sentOf(row), NOBODY)
  }

  private join({ service, account, atUs }: ExternalRow): void {
    const party = this.parties.get(keyOf(service, account))
    if (party === undefined) throw new TurnDifference('a client is back that never came')
    party.isHere = true
    this.session!.followClient(service, account, true)
    this.begin(party, 'joined', true)
    this.endTurn(atUs)
  }

  private begin(party: Party, why: string, isHere = false): void {
    const { session } = this
    assert(session !== null, 'the session is being played')
    if (!party.isHere || this.isOver || session.nowUs >= this.seats!.turnsEndUs) return
    const row = this.turnRows.get(this.turns + 1)
    if (row === undefined) {
      // The run was stopped in the turn before, or before its next one.
      this.isOver = true
      if (this.stoppedUs !== null) return
    }
    const n = ++this.turns
    if (isHere) session.beginTurnHere(party.service)
    else session.beginTurn(party.service)
    const found = `${why} of account ${party.account} at ${session.nowUs}`
    const expected = row === undefined ? 'none' : `${row.why} of account ${row.account} at ${row.atUs}`
    if (found === expected) return
    this.isOver = true
    this.difference ??= new TurnDifference(`turn ${n} is ${found}, expected ${expected}`)
  }

  private endTurn(standAtUs: number): void {
    const { session } = this
    if (this.difference !== null) throw this.difference
    if (session === null || session.turn === null) return
    for (const row of this.ofTurn.get(this.turns) ?? []) this.act(session, row)
    session.endTurn(standAtUs)
  }

  private act(session: Session, row: ExternalRow): void {
    const { kind, service, account, fields, call, why } = row
    if (kind === 'left') return this.leave(row)
    // The client whose turn it is made the call, also with another's credential or with nobody's.
    const turn = this.turnRows.get(this.turns)!
    const party = this.parties.get(keyOf(turn.service, turn.account))!
    const { stay } = party
    const tell = (why: string) => (): void => {
      if (party.stay === stay) this.begin(party, why)
    }
    if (kind === 'wake') {
      return session.wake(fields['wake_us']!, tell(why ?? 'wake'))
    }
    if (call === undefined) session.bringCall(service, account, sentOf(row), NOBODY)
    else session.sendCall(service, account, sentOf(row), { answered: () => {}, told: tell('answer') })
  }

  private leave({ service, account }: ExternalRow): void {
    const party = this.parties.get(keyOf(service, account))
    if (party === undefined) throw new TurnDifference('a client leaves that never came')
    party.isHere = false
    party.stay++
    this.session!.followClient(service, account, false)
  }
}

/** It came in where the loop stood, in no turn. */
const isBetween = ({ kind, turn }: ExternalRow): boolean => kind === 'joined' || turn === undefined

const sentOf = ({ op, fields, legs, list, credential }: ExternalRow): ExternalCall => ({ op, fields, legs, list, ...(credential === undefined ? {} : { credential }) })

const keyOf = (service: string, account: number): string => `${service} ${account}`
