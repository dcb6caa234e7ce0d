import { ParlayOp } from '../src/venue/parlay/protocol/commands.ts'
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

/**
 * Plays makers over the parlay service's wire, behind a proxy that holds connections up and so reorders what goes over them, round after
 * round: with drawn ways, with none and with equal ones. Every round must leave the digest of the same makers inside, and be played again to
 * it from its journal. Returns whether all did.
 */
export async function lockstepSoak({ rounds, seed }: LockstepSoakSettings): Promise<boolean> {
  const names = ['drawn', 'no', 'equal'] as const
  const expected = await Promise.all(names.map((name) => digestInside(WIRE_MAKERS(WAYS[name]), REQUESTS)))
  for (let round = 0; round < rounds; round++) {
    const kind = round % names.length
    const makers = WIRE_MAKERS(WAYS[names[kind]!])
    const prepared = await preparedOf(scenarioOf(makers, true, REQUESTS))
    const { digest, rows, turns, calls } = await playedOutside(prepared, wireClients(prepared, makers), { handlers: wireHandlers(prepared), spread: { mostMs: HELD_UP_MS, seed: seed + round } })
    const declines = rows.filter(({ op }) => op === ParlayOp.declineSelection).length
    const isSame = digest === expected[kind] && digestAgain(prepared, rows) === digest
    console.log(`round ${round + 1} of ${rounds}, seed ${seed + round}, ${names[kind]} ways: ${turns} turns, ${calls} calls, ${declines} declines, digest ${digest.slice(0, 12)}${isSame ? '' : `, expected ${expected[kind]!.slice(0, 12)}`}`)
    if (!isSame) return false
  }
  return true
}
