import { PostingRows } from '../../src/ledger/postingRows.ts'
import type { Sink } from '../../src/record/sink.ts'
import { EventRows } from '../../src/venue/eventRows.ts'
import { OutcomeCommand } from '../../src/venue/outcome/protocol/commands.ts'
import { OutcomeJournal } from '../../src/venue/outcome/protocol/journal.ts'
import { OUTCOME_SETTINGS, type OutcomeProfile } from '../../src/venue/outcome/protocol/profile.ts'
import { type OutcomeVenue, outcomeVenue } from '../../src/venue/outcome/venue.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { Driver, T0 } from '../venue/outcome/driver.ts'

/** An outcome driver that keeps every command. */
export class JournalDriver extends Driver {
  readonly journal = new OutcomeJournal(1, 16)

  override apply(command: OutcomeCommand = this.command) {
    command.seq = this.seq + 1
    this.journal.append(T0 + this.now, command)
    return super.apply(command)
  }
}

/** An outcome venue with its rows and journal, given commands and flushed into sinks. */
export class OutcomeSession {
  readonly events: EventRows
  readonly postings: PostingRows
  readonly journal = new OutcomeJournal(1, 16)
  readonly venue: OutcomeVenue
  private readonly sinks: readonly Sink[]
  /** Commands between two flushes. */
  private readonly chunk: number
  private commands = 0

  constructor(sinks: readonly Sink[], options: { readonly profile?: Partial<OutcomeProfile>; readonly chunk?: number } = {}) {
    const sequence = { next: 1 }
    this.events = new EventRows(sequence, 1, 16)
    this.postings = new PostingRows(sequence, 1, 16)
    this.venue = outcomeVenue(profileOf(OUTCOME_SETTINGS, options.profile), this.events, this.postings)
    this.sinks = sinks
    this.chunk = options.chunk ?? Infinity
  }

  apply(atUs: number, command: OutcomeCommand): void {
    this.journal.append(atUs, command)
    this.venue.apply(atUs, command)
    if (++this.commands % this.chunk === 0) this.flush()
  }

  /** Applies every command of a journal. */
  play(journal: OutcomeJournal): this {
    const command = new OutcomeCommand()
    for (let row = 0; row < journal.count; row++) this.apply(journal.read(row, command), command)
    return this
  }

  flush(): void {
    for (const sink of this.sinks) sink.flush({ parlay: null, outcome: this })
    this.events.clear()
    this.postings.clear()
    this.journal.clear()
  }

  /** Runs every deadline up to `endUs` and ends the session. */
  finish(endUs: number): void {
    this.venue.pulse(endUs)
    this.flush()
    for (const sink of this.sinks) sink.finish(endUs)
  }
}
