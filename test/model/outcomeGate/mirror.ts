import { PostingRows } from '../../../src/ledger/postingRows.ts'
import { FIRST_PARTICIPANT_OP } from '../../../src/venue/contract.ts'
import { EventRows } from '../../../src/venue/eventRows.ts'
import { OutcomeCommand } from '../../../src/venue/outcome/protocol/commands.ts'
import type { OutcomeGateProfile } from '../../../src/venue/outcome/protocol/gate.ts'
import type { OutcomeProfile } from '../../../src/venue/outcome/protocol/profile.ts'
import { cheapTermsTag } from '../../../src/venue/outcome/protocol/terms.ts'
import { type OutcomeVenue, outcomeVenue } from '../../../src/venue/outcome/venue.ts'
import { fill, type GateCommand } from './command.ts'
import { type Coverage, observeCommand, observeInstant, observeStep } from './coverage.ts'
import { admit, judge, nextDeadlineUs, runInstant, type Step } from './model.ts'
import { type Row, rowsOf } from './rows.ts'
import { emptyState, type Frame, type State } from './state.ts'
import { Trade } from './trade.ts'

/** The model at work: it lets commands through to a venue of its own, whose rows it is given. */
export class Mirror {
  state: State = emptyState()
  readonly venue: OutcomeVenue
  readonly trade: Trade
  readonly frame: Frame
  private readonly events: EventRows
  private readonly postings: PostingRows
  private readonly coverage: Coverage
  private readonly command = new OutcomeCommand()

  constructor(gateProfile: OutcomeGateProfile, profile: OutcomeProfile, service: number, coverage: Coverage) {
    const sequence = { next: 1 }
    this.events = new EventRows(sequence, service)
    this.postings = new PostingRows(sequence, service)
    this.venue = outcomeVenue(profile, this.events, this.postings)
    this.trade = new Trade(this.venue.view)
    this.frame = { profile: gateProfile, service, sequence, view: this.venue.view, digest: cheapTermsTag }
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
    observeInstant(this.coverage, this.state, this.frame, nowUs, command)
    this.trade.observeCommand(command)
    const earlier = this.pulse(command.op < FIRST_PARTICIPANT_OP ? nowUs - 1 : nowUs)
    const middle = this.state
    const verdict = judge(middle, this.frame, nowUs, command)
    const step = verdict.passes
      ? admit(verdict.state, this.frame, nowUs, command, this.rowsOfVenue(() => this.venue.apply(nowUs, fill(this.command, command))))
      : verdict.step
    const own = this.take(step)
    observeCommand(this.coverage, middle, this.frame, nowUs, command, step)
    return [...earlier, ...own]
  }

  /** The earliest deadline of venue and model. */
  nextUs(): number {
    return Math.min(this.venue.nextDeadlineUs(), nextDeadlineUs(this.state, this.frame))
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
    observeStep(this.coverage, this.state, step, this.frame)
    this.state = step.state
    return step.rows
  }
}
