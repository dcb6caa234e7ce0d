import type { ToldRows } from '../unit/toldRows.ts'
import { visibleText } from '../unit/visibleText.ts'
import type { DirectoryCodes } from './directory.ts'
import type { OpenTable } from './openTables.ts'
import { float, nameOf, numbered, orNull, service, shapeOf, text, time, word } from './tableShape.ts'

const handler = text('handler that said it')
const request = orNull(numbered('number of the request, or of the RFQ, that the handler was about, of onAck the one that the answer names'), 'the handler is about none')
const legCount = orNull(word('its legs, or those of the auction or the position'), 'the handler is about none, or is onAck, whose answer has no legs')

export const passTable = (codes: DirectoryCodes) =>
  shapeOf('passes', 'what makers let go by (desk.pass), one row each call of a handler at most, in the order of time', {
    service,
    at: time('when'),
    maker: nameOf(codes.makerNames, 'makers', 'name of the maker'),
    handler,
    request,
    leg_count: legCount,
    reason: text("why, in the strategy's words: 80 letters; from a maker's 51st reason on 'other reasons', and 'no reason' of one without a reason"),
  })

export const logTable = () =>
  shapeOf('logs', 'lines of strategies (desk.log), one row for each number of a line, in the order of time', {
    service,
    at: time('when'),
    participant: text('name of the maker or the cohort'),
    handler,
    request,
    leg_count: legCount,
    text: text("the line, in the strategy's words: 500 letters"),
    name: orNull(text('name of the number'), 'the line has no numbers'),
    value: orNull(float('the number'), 'the line has no numbers'),
  })

/** Writes what strategies say of themselves. */
export class ToldTables {
  private declare readonly told: ToldRows
  private declare readonly passes: OpenTable<ReturnType<typeof passTable>>
  private declare readonly logs: OpenTable<ReturnType<typeof logTable>>

  constructor(told: ToldRows, passes: OpenTable<ReturnType<typeof passTable>>, logs: OpenTable<ReturnType<typeof logTable>>) {
    this.told = told
    this.passes = passes
    this.logs = logs
  }

  /** Takes what has been said since the last call. */
  take(): void {
    this.takePasses()
    this.takeLogs()
    this.told.clear()
  }

  private takePasses(): void {
    const [writer, at] = this.passes
    for (const { service: of, atUs, participant, handler: said, request: about, legCount: legs, reason } of this.told.passes) {
      writer.row()
      writer.label(at.service, of)
      writer.int(at.at, atUs)
      writer.label(at.maker, participant)
      writer.text(at.handler, said)
      writer.intOrNone(at.request, about)
      writer.intOrNone(at.leg_count, legs)
      writer.text(at.reason, visibleText(reason))
    }
  }

  private takeLogs(): void {
    const [writer, at] = this.logs
    for (const { service: of, atUs, participant, handler: said, request: about, legCount: legs, text: line, name, value } of this.told.logs) {
      writer.row()
      writer.label(at.service, of)
      writer.int(at.at, atUs)
      writer.text(at.participant, participant)
      writer.text(at.handler, said)
      writer.intOrNone(at.request, about)
      writer.intOrNone(at.leg_count, legs)
      writer.text(at.text, visibleText(line))
      if (name !== '') writer.text(at.name, visibleText(name))
      if (!Number.isNaN(value)) writer.float(at.value, value)
    }
  }
}
