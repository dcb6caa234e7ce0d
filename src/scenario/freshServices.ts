import { termsDigestOf } from '../engine/outcome/signatures.ts'
import { PostingRows } from '../ledger/postingRows.ts'
import type { RowSequence } from '../unit/rowSequence.ts'
import { Service } from '../unit/services.ts'
import type { Venue } from '../venue/contract.ts'
import { EventRows } from '../venue/eventRows.ts'
import { outcomeGate } from '../venue/outcome/gate/gate.ts'
import { type OutcomeCommand, OutcomeOp } from '../venue/outcome/protocol/commands.ts'
import { decimalOfLimbs } from '../venue/outcome/protocol/outcomeId.ts'
import { outcomeVenue } from '../venue/outcome/venue.ts'
import { OriginLog } from '../venue/outcome/wire/originLog.ts'
import { parlayGate } from '../venue/parlay/gate/gate.ts'
import { parlayVenue } from '../venue/parlay/venue.ts'
import type { FreshService, FreshServices } from './replay.ts'
import type { ResolvedOutcome, ResolvedParlay, ResolvedScenario } from './resolved.ts'

/** The services of a run as they were before its first command. */
export function freshServices({ services: { parlay, outcome }, seed }: ResolvedScenario): FreshServices {
  const sequence: RowSequence = { next: 1 }
  return {
    parlay: parlay === undefined ? null : freshParlay(parlay, sequence),
    outcome: outcome === undefined ? null : freshOutcome(outcome, sequence, seed),
  }
}

function freshParlay({ settings, gate }: ResolvedParlay, sequence: RowSequence): NonNullable<FreshServices['parlay']> {
  const events = new EventRows(sequence, Service.parlay)
  const postings = new PostingRows(sequence, Service.parlay)
  const bare = parlayVenue(settings, events, postings)
  return { venue: gate === undefined ? bare : parlayGate(bare, gate.profile, events), events, postings }
}

function freshOutcome({ settings, gate, signatures }: ResolvedOutcome, sequence: RowSequence, seed: string): FreshService<OutcomeCommand> {
  const events = new EventRows(sequence, Service.outcome)
  const postings = new PostingRows(sequence, Service.outcome)
  const origins = signatures === 'eip712' ? new OriginLog() : null
  const ids = new Map<number, string>()
  const digest = termsDigestOf((outcome) => ids.get(outcome)!, seed, origins)
  const bare = outcomeVenue(settings, events, postings, digest)
  const venue = gate === undefined ? bare : outcomeGate(bare, gate.profile, events, digest)
  if (origins === null) return { venue, events, postings }
  /** Digests name what earlier rows made. */
  const noting = (run: () => void): void => {
    const from = events.count
    run()
    for (let i = from; i < events.count; i++) origins.take(events.rowCells(events.row(i)), bare.view)
  }
  const named: Venue<OutcomeCommand> = {
    apply: (nowUs, command) => {
      if (command.op === OutcomeOp.listOutcome) ids.set(command.outcome, decimalOfLimbs(command.list.subarray(0, command.listCount)))
      noting(() => venue.apply(nowUs, command))
    },
    pulse: (nowUs) => noting(() => venue.pulse(nowUs)),
    nextDeadlineUs: () => venue.nextDeadlineUs(),
    stateHash: () => venue.stateHash(),
    snapshot: () => venue.snapshot(),
    restore: (image) => venue.restore(image),
  }
  return { venue: named, events, postings }
}
