import { EVENT_STRIDE, EventRows } from '../../../../src/venue/eventRows.ts'
import { OutcomeEvent, OutcomeField } from '../../../../src/venue/outcome/protocol/events.ts'
import type { AcceptanceView } from '../../../../src/venue/outcome/protocol/view.ts'
import { WireIdentity } from '../../../../src/venue/outcome/wire/identity.ts'
import type { WireNames } from '../../../../src/venue/outcome/wire/names.ts'
import { OriginLog, type RowCells } from '../../../../src/venue/outcome/wire/originLog.ts'

/** 2025-06-20T00:23:00.000007Z. */
export const AT_US = 1_750_378_980_000_007

/** One event row with the fields given by name, the rest −1; its seq is 9. */
export function row(kind: number, fields: Partial<Record<keyof typeof OutcomeField, number>> = {}, list: readonly number[] = []): RowCells & { pool: Int32Array } {
  const rows = new EventRows({ next: 9 }, 2, 4)
  const first = rows.open(fields.atUs ?? AT_US, kind, -1)
  for (const [name, value] of Object.entries(fields)) rows.set(OutcomeField[name as keyof typeof OutcomeField], value)
  for (const value of list) rows.push(value)
  return { cells: rows.cells.slice(0, EVENT_STRIDE), first, pool: rows.pool }
}

/** Acceptances 1…3: of the accounts 10 and 11, under keys of theirs. */
const KNOWN = [{ taker: 10, key: 7 }, { taker: 11, key: 7 }, { taker: 10, key: 8 }]
const acceptances = {
  acceptance: (number: number) => (KNOWN[number - 1] ?? null) as AcceptanceView | null,
}

/** Origins of RFQs 1…6, operations 1…4 and acceptances 1…3; each RFQ and operation begins a millisecond after the one before it. */
export function origins(): OriginLog {
  const log = new OriginLog(2)
  for (let n = 1; n <= 6; n++) log.take(row(OutcomeEvent.rfqCreated, { rfq: n, atUs: AT_US + n * 1000 }), acceptances)
  for (let n = 1; n <= 4; n++) log.take(row(OutcomeEvent.operationStarted, { operation: n, atUs: AT_US + n * 1000 }), acceptances)
  for (let n = 1; n <= 3; n++) log.take(row(OutcomeEvent.quoteAccepted, { acceptance: n }), acceptances)
  return log
}

export const identity = new WireIdentity('session 7', origins())

/** Outcome n is called 2⁷⁰ + n: longer than a JSON number can be. */
export const outcomeIdOf = (outcome: number): string => String(2n ** 70n + BigInt(outcome))

/** The wire's names in this session; signers' addresses are spelt by their numbers. */
export const names: WireNames = {
  identity, outcomeId: outcomeIdOf, address: (signer) => `0x${String(signer).padStart(40, '0')}`,
}

/** A body as it arrives: through JSON. */
export const sent = (body: unknown): Record<string, unknown> => JSON.parse(JSON.stringify(body)) as Record<string, unknown>
