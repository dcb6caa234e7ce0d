import { OutcomeOp } from '../src/venue/outcome/protocol/commands.ts'
import { ParlayOp } from '../src/venue/parlay/protocol/commands.ts'
import { outcomeHandlers, outcomeWireClients, OUTCOME_WIRE_MAKERS } from '../test/serve/lockstep/outcomeWirePlay.ts'
import { digestAgain, digestInside, playedOutside, preparedOf, scenarioOf } from '../test/serve/lockstep/served.ts'
import { WAYS, wireClients, wireHandlers, WIRE_MAKERS } from '../test/serve/lockstep/wirePlay.ts'

/** A connection is held up by so much in each direction, drawn for each. */
const HELD_UP_MS = 50
const REQUESTS = 20

export interface LockstepSoakSettings {
  readonly rounds: number
  /** Of the first round's proxy. The next rounds count on. */
  readonly seed: number
}

const SERVICES = [
  { service: 'parlay', makersOf: WIRE_MAKERS, clientsOf: wireClients, handlersOf: wireHandlers, decline: ParlayOp.declineSelection },
  { service: 'outcome', makersOf: OUTCOME_WIRE_MAKERS, clientsOf: outcomeWireClients, handlersOf: outcomeHandlers, decline: OutcomeOp.declineQuote },
] as const

/** What rounds play, one after the other. */
const KINDS = SERVICES.flatMap((played) => (['drawn', 'no', 'equal'] as const).map((ways) => ({ ...played, ways })))

/**
 * Plays makers over the services' wires, behind a proxy that holds connections up and so reorders what goes over them, round after round: with
 * drawn ways, with none and with equal ones. Every round must leave the digest of the same makers inside, and be played again to it from its
 * journal. Returns whether all did.
 */
export async function lockstepSoak({ rounds, seed }: LockstepSoakSettings): Promise<boolean> {
  const expected = await Promise.all(KINDS.map(({ service, makersOf, ways }) => digestInside(makersOf(WAYS[ways]), REQUESTS, service)))
  for (let round = 0; round < rounds; round++) {
    const kind = round % KINDS.length
    const { service, makersOf, clientsOf, handlersOf, decline, ways } = KINDS[kind]!
    const makers = makersOf(WAYS[ways])
    const prepared = await preparedOf(scenarioOf(makers, true, REQUESTS, service))
    const { digest, rows, turns, calls } = await playedOutside(prepared, clientsOf(prepared, makers), { handlers: handlersOf(prepared), spread: { mostMs: HELD_UP_MS, seed: seed + round } })
    const declines = rows.filter(({ op }) => op === decline).length
    const isSame = digest === expected[kind] && digestAgain(prepared, rows) === digest
    console.log(`round ${round + 1} of ${rounds}, seed ${seed + round}, ${service}, ${ways} ways: ${turns} turns, ${calls} calls, ${declines} declines, digest ${digest.slice(0, 12)}${isSame ? '' : `, expected ${expected[kind]!.slice(0, 12)}`}`)
    if (!isSame) return false
  }
  return true
}
