import { PostingRows } from '../../../src/ledger/postingRows.ts'
import { FIRST_PARTICIPANT_OP } from '../../../src/venue/contract.ts'
import { EventRows } from '../../../src/venue/eventRows.ts'
import { ParlayCommand } from '../../../src/venue/parlay/protocol/commands.ts'
import type { ParlayGateProfile } from '../../../src/venue/parlay/protocol/gate.ts'
import type { ParlayProfile } from '../../../src/venue/parlay/protocol/profile.ts'
import { type ParlayVenue, parlayVenue } from '../../../src/venue/parlay/venue.ts'
import { type Row, rowsOf } from '../parlay/namedRows.ts'
import { fill, type GateCommand } from './command.ts'
import { type Coverage, observeCommand, observeInstant, observeStep } from './coverage.ts'
import { admit, type Frame, judge, nextDeadlineUs, runInstant, type Step } from './model.ts'
import { emptyState, type State } from './state.ts'
import { Trade } from './trade.ts'

/** The model at work: it lets commands through to a venue of its own, whose rows it is given. */
export class Mirror {
  state: State = emptyState()
  readonly venue: ParlayVenue
  readonly trade: Trade
  private readonly events: EventRows
  private readonly postings: PostingRows
  private readonly frame: Frame
  private readonly coverage: Coverage
  private readonly command = new ParlayCommand()

  constructor(gateProfile: ParlayGateProfile, profile: ParlayProfile, service: number, coverage: Coverage) {
    const sequence = { next: 1 }
    this.events = new EventRows(sequence, service)
    this.postings = new PostingRows(sequence, service)
    this.venue = parlayVenue(profile, this.events, this.postings)
    this.trade = new Trade(this.venue.view)
    this.frame = { profile: gateProfile, service }
    this.coverage = coverage
  }

  /** Runs every deadline up to the instant, venue's and gate's, and returns the rows. */
  pulse(untilUs: number): Row[] {
    const rows: Row[] = []
    for (;;) {
      const atUs = this.nextUs()
      if (atUs > untilUs) return rows
      const venueRows = this.venue.nextDeadlineUs() <= atUs ? this.rowsOfVenue(() => this.venue.pulse(atUs)) : []
      rows.push(...this.take(runInstant(this.state, this.frame, atUs, venueRows)))
    }
  }

  apply(nowUs: number, command: GateCommand): Row[] {
    observeInstant(this.coverage, this.state, this.frame.profile, nowUs, command)
    const earlier = this.pulse(command.op < FIRST_PARTICIPANT_OP ? nowUs - 1 : nowUs)
    const middle = this.state
    const verdict = judge(middle, this.frame, nowUs, command)
    const step = verdict.passes
      ? admit(verdict.state, this.frame, nowUs, command, this.rowsOfVenue(() => this.venue.apply(nowUs, fill(this.command, command))))
      : verdict.step
    const own = this.take(step)
    observeCommand(this.coverage, middle, this.frame.profile, nowUs, command, step)
    return [...earlier, ...own]
  }

  /** The earliest deadline of venue and model. */
  nextUs(): number {
    return Math.min(this.venue.nextDeadlineUs(), nextDeadlineUs(this.state) ?? Infinity)
  }

  private rowsOfVenue(act: () => void): Row[] {
    this.events.clear()
    this.postings.clear()
    act()
    const rows = rowsOf(this.events)
    for (const row of rows) this.trade.observe(row)
    return rows
  }

  private take(step: Step): readonly Row[] {
    observeStep(this.coverage, this.state, step, this.frame.profile)
    this.state = step.state
    return step.rows
  }
}
