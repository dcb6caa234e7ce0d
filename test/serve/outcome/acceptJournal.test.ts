import { expect, it } from 'vitest'
import { AcceptJournal } from '../../../src/serve/outcome/acceptJournal.ts'
import { OutcomeCommand, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { OutcomeJournal } from '../../../src/venue/outcome/protocol/journal.ts'

it('an accept is read from the command of its number, be it the first, the last or between others', () => {
  const journal = new OutcomeJournal(1, 2)
  const command = new OutcomeCommand()
  for (const seq of [5, 6, 9]) journal.append(100, Object.assign(command.reset(OutcomeOp.acceptQuote, seq + 10), { seq, key: seq * 2, coreMicros: seq * 1000 }))
  const accepts = new AcceptJournal(journal)
  expect([5, 6, 9].map((seq) => accepts.accept(seq))).toEqual([
    { key: 10, coreMicros: 5000, taker: 15 }, { key: 12, coreMicros: 6000, taker: 16 }, { key: 18, coreMicros: 9000, taker: 19 },
  ])
  expect(() => accepts.accept(7)).toThrow('an accept is in the journal while its rows are new')
})
