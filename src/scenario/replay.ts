import type { PostingRows } from '../ledger/postingRows.ts'
import { Digest } from '../record/digest.ts'
import { replayJournal } from '../record/replayJournal.ts'
import { NEVER_US } from '../unit/time.ts'
import type { Command, Venue } from '../venue/contract.ts'
import type { EventRows } from '../venue/eventRows.ts'
import { FIRST_PARTICIPANT_OP, OutcomeCommand } from '../venue/outcome/protocol/commands.ts'
import { OutcomeJournal } from '../venue/outcome/protocol/journal.ts'
import { ParlayCommand } from '../venue/parlay/protocol/commands.ts'
import { ParlayJournal } from '../venue/parlay/protocol/journal.ts'
import { Service } from '../unit/services.ts'

/** A fresh venue of a service, gate and all, and the rows that it writes. */
export interface FreshService<C extends Command> {
  readonly venue: Venue<C>
  readonly events: EventRows
  readonly postings: PostingRows
}

/** Null: the session does not have the service. The rows of both are numbered by one sequence. */
export interface FreshServices {
  readonly parlay: FreshService<ParlayCommand> | null
  readonly outcome: FreshService<OutcomeCommand> | null
}

const FLUSH_ROWS = 65_536

/**
 * Digest of the rows that fresh venues write when they are given the commands of a journal table. Throws InputError when the
 * file is no journal, or one of other services.
 */
export function replayedDigest(journalPath: string, services: FreshServices): string {
  const { parlay, outcome } = services
  const venues = [parlay, outcome].filter((service) => service !== null)
  const digest = new Digest()
  const [parlayJournal, outcomeJournal] = [new ParlayJournal(Service.parlay, 1), new OutcomeJournal(Service.outcome, 1)]
  const flush = (): void => {
    digest.flush({
      parlay: parlay === null ? null : { events: parlay.events, postings: parlay.postings, journal: parlayJournal },
      outcome: outcome === null ? null : { events: outcome.events, postings: outcome.postings, journal: outcomeJournal },
    })
    for (const { events, postings } of venues) {
      events.clear()
      postings.clear()
    }
  }
  const taking = <C extends Command>(service: FreshService<C>) => (atUs: number, command: C): void => {
    // A venue runs its own deadlines; those of the other one come first as well, in the order of time.
    if (venues.length > 1) pulseBefore(venues, command.op < FIRST_PARTICIPANT_OP ? atUs : atUs + 1)
    service.venue.apply(atUs, command)
    if (service.events.count > FLUSH_ROWS) flush()
  }
  replayJournal(journalPath, {
    parlay: parlay === null ? null : { command: new ParlayCommand(), apply: taking(parlay) },
    outcome: outcome === null ? null : { command: new OutcomeCommand(), apply: taking(outcome) },
  })
  pulseBefore(venues, NEVER_US)
  flush()
  return digest.hex()
}

/** Runs the deadlines before `untilUs`, of equal instants those of the first venue first (design.md, decision 2). */
function pulseBefore(services: readonly FreshService<never>[], untilUs: number): void {
  for (;;) {
    let [next] = services
    for (const service of services) if (service.venue.nextDeadlineUs() < next!.venue.nextDeadlineUs()) next = service
    const dueUs = next!.venue.nextDeadlineUs()
    if (dueUs >= untilUs) return
    next!.venue.pulse(dueUs)
  }
}
