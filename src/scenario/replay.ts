import type { PostingRows } from '../ledger/postingRows.ts'
import { Digest } from '../record/digest.ts'
import { replayingJournal } from '../record/replayJournal.ts'
import type { Batch } from '../record/sink.ts'
import { Service } from '../unit/services.ts'
import { NEVER_US } from '../unit/time.ts'
import { type Command, FIRST_PARTICIPANT_OP, type Venue } from '../venue/contract.ts'
import type { EventRows } from '../venue/eventRows.ts'
import { OutcomeCommand } from '../venue/outcome/protocol/commands.ts'
import { OutcomeJournal } from '../venue/outcome/protocol/journal.ts'
import { ParlayCommand } from '../venue/parlay/protocol/commands.ts'
import { ParlayJournal } from '../venue/parlay/protocol/journal.ts'

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

/** What fresh venues wrote, and the share of the journal that they were given. */
export interface ReplayedBatch {
  readonly batch: Batch
  readonly share: number
}

/** What a journal keeps of a service's commands. */
interface Journal<C> {
  append(atUs: number, command: C): void
  clear(): void
}

/**
 * The rows that fresh venues write when they are given the commands of a journal table, batch by batch; a batch is valid until the next is
 * asked for. Deadlines run to the end, or as far as they are before `untilUs`. Throws InputError when the file is no journal, or one of other services.
 */
export function* replayed(journalPath: string, services: FreshServices, untilUs: number = NEVER_US): Generator<ReplayedBatch, void> {
  const { parlay, outcome } = services
  const venues = [parlay, outcome].filter((service) => service !== null)
  const [parlayJournal, outcomeJournal] = [new ParlayJournal(Service.parlay), new OutcomeJournal(Service.outcome)]
  const batch: Batch = {
    parlay: parlay === null ? null : { events: parlay.events, postings: parlay.postings, journal: parlayJournal },
    outcome: outcome === null ? null : { events: outcome.events, postings: outcome.postings, journal: outcomeJournal },
  }
  const clear = (): void => {
    for (const { events, postings } of venues) {
      events.clear()
      postings.clear()
    }
    parlayJournal.clear()
    outcomeJournal.clear()
  }
  const taking = <C extends Command>(service: FreshService<C>, journal: Journal<C>) => (atUs: number, command: C): void => {
    // A venue runs its own deadlines; those of the other one come first as well, in the order of time.
    if (venues.length > 1) pulseBefore(venues, command.op < FIRST_PARTICIPANT_OP ? atUs : atUs + 1)
    journal.append(atUs, command)
    service.venue.apply(atUs, command)
  }
  const shares = replayingJournal(journalPath, {
    parlay: parlay === null ? null : { command: new ParlayCommand(), apply: taking(parlay, parlayJournal) },
    outcome: outcome === null ? null : { command: new OutcomeCommand(), apply: taking(outcome, outcomeJournal) },
  })
  for (const share of shares) {
    yield { batch, share }
    clear()
  }
  pulseBefore(venues, untilUs)
  yield { batch, share: 1 }
}

/** Digest of the rows that fresh venues write when they are given the commands of a journal table. Throws as `replayed`. */
export function replayedDigest(journalPath: string, services: FreshServices, untilUs?: number): string {
  const digest = new Digest()
  for (const { batch } of replayed(journalPath, services, untilUs)) digest.flush(batch)
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
