import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { Session } from '../../../../src/engine/session.ts'
import type { Batch, Sink } from '../../../../src/record/sink.ts'
import { AcceptJournal } from '../../../../src/serve/outcome/acceptJournal.ts'
import { OutcomeRecords } from '../../../../src/serve/outcome/records/records.ts'
import { OUTCOME_SETTINGS } from '../../../../src/venue/outcome/protocol/profile.ts'
import { profileOf } from '../../../../src/venue/profile.ts'
import { outcomeAuctionConfig } from '../../../engine/outcomeWorld.ts'

/** What the records have of an entity without what they keep beside it. */
function viewOf(record: object | null): object | null {
  if (record === null) return null
  return Object.fromEntries(Object.entries(record).filter(([name]) => !['backer', 'feeBps', 'quotes', 'endedAtUs', 'maker'].includes(name)))
}

/** Counts how often an entity was compared, kind by kind. */
class Comparison implements Sink {
  readonly compared = { rfqs: 0, quotes: 0, acceptances: 0, operations: 0 }
  readonly forgotten = { rfqs: 0 }
  readonly past = { rfqs: 0 }
  readonly differences: (readonly [record: object | null, view: object])[] = []
  private records: OutcomeRecords | null = null
  session: Session | null = null

  flush({ outcome }: Batch): void {
    const { events, journal } = outcome!
    const { venue: { view } } = this.session!.outcome!
    const accepts = new AcceptJournal(journal)
    this.terms = (seq) => accepts.accept(seq)
    this.records ??= new OutcomeRecords(new Set(Array.from({ length: 20 }, (_, account) => account)), profileOf(OUTCOME_SETTINGS), {
      acceptTerms: (seq) => this.terms(seq), rfqPast: () => { this.past.rfqs++ }, rfqForgotten: () => { this.forgotten.rfqs++ },
    })
    const { records, compared } = this
    for (let i = 0; i < events.count; i++) records.take(events, events.row(i))
    for (let number = 1; number < 2_000; number++) {
      const rfq = view.rfq(number)
      if (rfq !== null) {
        this.compare(viewOf(records.rfqs.rfq(number)), rfq)
        compared.rfqs++
      }
      const quote = view.quote(number)
      if (quote !== null) {
        this.compare(records.quote(number), quote)
        compared.quotes++
      }
      const acceptance = view.acceptance(number)
      if (acceptance !== null) {
        this.compare(records.acceptances.acceptance(number), acceptance)
        compared.acceptances++
      }
      const operation = view.operation(number)
      const kept = records.operations.operation(number)
      if (operation !== null && kept !== null) {
        this.compare(viewOf(kept), operation)
        compared.operations++
      }
    }
  }

  private compare(record: object | null, view: object): void {
    if (!isDeepStrictEqual(record, view)) this.differences.push([record === null ? null : { ...record }, view])
  }

  private terms: (seq: number) => ReturnType<AcceptJournal['accept']> = () => { throw new Error('no row yet') }

  finish(): void {}
  abort(): void {}
}

it('OM-082 OM-085 OM-089 the records are what the venue knows, after every chunk of a session with cash-outs', () => {
  const comparison = new Comparison()
  const session = new Session({ ...outcomeAuctionConfig(40), sinks: [comparison] })
  comparison.session = session
  session.runToEnd(2048)
  expect(comparison.differences.slice(0, 3)).toEqual([])
  for (const count of Object.values(comparison.compared)) expect(count).toBeGreaterThan(50)
  expect(comparison.forgotten.rfqs).toBeGreaterThan(5)
  // Those of the accounts that are kept are over for the venue too.
  expect(comparison.past.rfqs).toBeGreaterThan(comparison.forgotten.rfqs + 5)
})
