import { PostingRows } from '../../src/ledger/postingRows.ts'
import type { Sink } from '../../src/record/sink.ts'
import { EventRows } from '../../src/venue/eventRows.ts'
import { ParlayCommand } from '../../src/venue/parlay/protocol/commands.ts'
import { ParlayJournal } from '../../src/venue/parlay/protocol/journal.ts'
import { PARLAY_SETTINGS, type ParlayProfile } from '../../src/venue/parlay/protocol/profile.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { parlayVenue, type ParlayVenue } from '../../src/venue/parlay/venue.ts'

/** A parlay venue with its rows and journal, driven by hand and flushed into sinks. */
export class Session {
  readonly events: EventRows
  readonly postings: PostingRows
  readonly journal = new ParlayJournal(0, 16)
  readonly venue: ParlayVenue
  private readonly command = new ParlayCommand()
  private readonly sinks: readonly Sink[]
  /** Commands between two flushes. */
  private readonly chunk: number
  private commands = 0

  constructor(sinks: readonly Sink[], options: { readonly profile?: Partial<ParlayProfile>; readonly chunk?: number } = {}) {
    const sequence = { next: 1 }
    this.events = new EventRows(sequence, 0, 16)
    this.postings = new PostingRows(sequence, 0, 16)
    this.venue = parlayVenue(profileOf(PARLAY_SETTINGS, options.profile), this.events, this.postings)
    this.sinks = sinks
    this.chunk = options.chunk ?? Infinity
  }

  /** Applies one command; `fill` sets its fields. */
  apply(atUs: number, op: number, account: number, fill: (command: ParlayCommand) => void = () => {}): void {
    const command = this.command.reset(op, account)
    command.seq = ++this.commands
    fill(command)
    this.journal.append(atUs, command)
    this.venue.apply(atUs, command)
    if (this.commands % this.chunk === 0) this.flush()
  }

  flush(): void {
    for (const sink of this.sinks) sink.flush({ parlay: this, outcome: null })
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
