import { OutcomeReader } from '../../../src/chain/mirror/outcomeReader.ts'
import type { MirrorLog } from '../../../src/chain/mirror/serviceReader.ts'
import type { VaultCall } from '../../../src/chain/vaultCall.ts'
import { JOURNAL_STRIDE, JournalField, OutcomeJournal } from '../../../src/venue/outcome/protocol/journal.ts'
import { isSigned } from '../../../src/venue/outcome/protocol/commands.ts'
import type { OutcomeProfile } from '../../../src/venue/outcome/protocol/profile.ts'
import { Driver, type Row, usd } from '../../venue/outcome/driver.ts'

/** An outcome venue on a bench whose rows are read for its vault. */
export class MirroredDriver extends Driver {
  readonly reader: OutcomeReader
  readonly calls: VaultCall[] = []
  /** Fingerprints of what was signed, of the commands that the venue took, in their order. */
  readonly signedTags: number[] = []
  private readonly journal = new OutcomeJournal(2)
  private readonly log: MirrorLog = {
    call: (call) => { this.calls.push(call) },
    waits: () => { throw new Error('nothing waits') }, failed: () => { throw new Error('nothing waits') },
    ahead: () => { throw new Error('nothing is ahead') }, caughtUp: () => { throw new Error('nothing is ahead') },
  }

  constructor(overrides: Partial<OutcomeProfile> = {}) {
    super(overrides)
    this.reader = new OutcomeReader('seed 7', this.rates)
    this.listOutcomes(6)
    for (const account of [10, 11]) this.bind(account, 'participant')
    for (const account of [20, 21, 22]) this.bind(account, 'maker')
    for (const account of [10, 11, 20, 21, 22]) this.deposit(account, usd(1000))
  }

  override apply(command = this.command): Row | undefined {
    command.seq = this.seq + 1
    this.journal.append(0, command)
    return super.apply(command)
  }

  protected override run(what: () => void): Row[] {
    return super.run(() => {
      what()
      this.mirror()
    })
  }

  private mirror(): void {
    const { reader, events, postings, journal } = this
    reader.begin({ parlay: null, outcome: { events, postings, journal } })
    for (let i = 0; i < events.count; i++) reader.happened(events, events.row(i), this.log)
    for (let row = 0; row < journal.count; row++) {
      const of = (field: keyof typeof JournalField): number => journal.cells[row * JOURNAL_STRIDE + JournalField[field]]!
      if (isSigned(of('op'))) this.signedTags.push(of('termsTag'))
    }
    journal.clear()
  }
}
