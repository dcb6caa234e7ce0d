import { NONE } from '../../../../src/unit/none.ts'
import type { Kind, RowCells } from '../../../../src/venue/eventCells.ts'
import { EventRows } from '../../../../src/venue/eventRows.ts'
import { OutcomeEvent } from '../../../../src/venue/outcome/protocol/events.ts'
import type { AcceptanceView } from '../../../../src/venue/outcome/protocol/view.ts'
import { WireIdentity } from '../../../../src/venue/outcome/wire/identity.ts'
import type { WireNames } from '../../../../src/venue/outcome/wire/names.ts'
import { OriginLog } from '../../../../src/venue/outcome/wire/originLog.ts'
import { cellNamed } from '../../namedCells.ts'
import { kindNames, replyNames } from '../cellNames.ts'

/** 2025-06-20T00:23:00.000007Z. */
export const AT_US = 1_750_378_980_000_007

/** Cells by the names of the row's kind. */
export type Fields = Readonly<Record<string, number>>

/** One event row with the cells given by name, the rest −1; its seq is 9. One with a position is a cash-out's. */
export function row<N extends string>(
  kind: Kind<N>, fields: Fields = {}, list: readonly number[] = [], { atUs = AT_US, cause = NONE, names = kindNames(kind, 'position' in fields) } = {},
): RowCells<N> & { readonly pool: Int32Array } {
  const rows = new EventRows({ next: 9 }, 2, 4)
  const first = rows.open(atUs, kind, cause)
  for (const [name, value] of Object.entries(fields)) rows.write(first, cellNamed(names, name), value)
  for (const value of list) rows.push(value)
  return rows.rowCells(first)
}

/** The same of a reply to the opcode `op` with `code`; the command is the 41st. */
export const replyRow = (op: number, code: number, fields: Fields = {}, list: readonly number[] = []): RowCells<'outcome.reply'> =>
  row(OutcomeEvent.reply, { op, code, ...fields }, list, { cause: 41, names: replyNames(op, code) })

/** Acceptances 1…3: of the accounts 10 and 11, under keys of theirs. */
const KNOWN = [{ taker: 10, key: 7 }, { taker: 11, key: 7 }, { taker: 10, key: 8 }]
const acceptances = {
  acceptance: (number: number) => (KNOWN[number - 1] ?? null) as AcceptanceView | null,
}

/** Origins of RFQs 1…6, operations 1…4 and acceptances 1…3; each RFQ and operation begins a millisecond after the one before it. */
export function origins(): OriginLog {
  const log = new OriginLog(2)
  for (let n = 1; n <= 6; n++) log.take(row(OutcomeEvent.rfqCreated, { rfq: n }, [], { atUs: AT_US + n * 1000 }), acceptances)
  for (let n = 1; n <= 4; n++) log.take(row(OutcomeEvent.operationStarted, { operation: n }, [], { atUs: AT_US + n * 1000 }), acceptances)
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
