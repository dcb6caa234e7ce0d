import { NONE } from '../../../unit/none.ts'
import { type Row, rowOfKind } from '../../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../../venue/eventRows.ts'
import { KeyChanged, OutcomeEvent, type OutcomeKind } from '../../../venue/outcome/protocol/events.ts'

/** What of a key the gate does not remember. */
export interface KeyRecord {
  readonly number: number
  readonly account: number
  readonly createdAtUs: number
  revokedAtUs: number
  /** Empty for the key that a seat has from the begin on. */
  label: string
}

/** Keys of certain accounts, and what the challenges for keys were asked for with. */
export class KeyRecords {
  private readonly keys = new Map<number, KeyRecord>()
  private readonly labels = new Map<number, string>()
  private declare readonly kept: ReadonlySet<number>

  constructor(kept: ReadonlySet<number>) {
    this.kept = kept
  }

  key(number: number): KeyRecord | null {
    return this.keys.get(number) ?? null
  }

  /** The account's keys, in the order of their issue. */
  of(account: number): readonly KeyRecord[] {
    return [...this.keys.values()].filter((key) => key.account === account)
  }

  take(events: EventRows, row: Row): void {
    const kind = events.kindOf(row) as OutcomeKind
    if (kind !== OutcomeEvent.keyIssued && kind !== OutcomeEvent.keyRevoked) return
    const changed = rowOfKind(row, kind)
    const number = events.read(changed, KeyChanged.credential)
    const account = events.read(changed, KeyChanged.account)
    const atUs = events.read(row, EventCell.atUs)
    if (kind === OutcomeEvent.keyRevoked) {
      const key = this.keys.get(number)
      if (key !== undefined) key.revokedAtUs = atUs
    } else if (this.kept.has(account)) this.keys.set(number, { number, account, createdAtUs: atUs, revokedAtUs: NONE, label: '' })
  }

  /** A key that was issued has the label of its challenge. */
  name(key: number, label: string): void {
    const record = this.keys.get(key)
    if (record !== undefined) record.label = label
  }

  /** A challenge was made for a key with that label. */
  challenged(challenge: number, label: string): void {
    this.labels.set(challenge, label)
  }

  /** Undefined for a challenge that no client asked for. */
  labelOf(challenge: number): string | undefined {
    return this.labels.get(challenge)
  }
}
