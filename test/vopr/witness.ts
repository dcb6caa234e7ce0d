import { OwnNumbers, type SeatNumbers, type ShownNumbers } from '../../src/agent/seatNumbers.ts'
import { Session } from '../../src/engine/session.ts'
import { buildSession } from '../../src/scenario/build.ts'
import type { PreparedScenario } from '../../src/scenario/run.ts'

/** Sees a call of a participant's handler before the strategy does: its name, the handler's, its view and the desk. */
export type Watch = (participant: string, handler: string, view: unknown, desk: unknown) => void

type Handler = (view: unknown, ...rest: unknown[]) => void
interface Participant {
  readonly name: string
  readonly strategy: { readonly create: (...given: never[]) => object }
}
interface Service {
  readonly makers: readonly Participant[]
  readonly cohorts: readonly Participant[]
}

/** Plays the scenario once more, with a witness in front of each strategy. `always`: handlers of makers that are watched where a maker has none. */
export function witness({ resolved, strategies, store }: PreparedScenario, watch: Watch, always: readonly string[]): void {
  const { config } = buildSession(resolved, strategies, store)
  const sight = { isOpen: false }
  const seeing: Watch = (...call) => {
    sight.isOpen = true
    watch(...call)
    sight.isOpen = false
  }
  const seen = <P extends Participant>(participant: P, more: readonly string[], numbers?: SeatNumbers): P => ({
    ...participant,
    strategy: { ...participant.strategy, create: (...given: never[]) => watched(participant.name, participant.strategy.create(...given), more, seeing), ...(numbers && { numbers }) },
  })
  const service = <S extends Service>(of: S | undefined, name: 'parlay' | 'outcome'): S | undefined =>
    of && { ...of, makers: of.makers.map((maker) => seen(maker, always, seenNumbers(name, sight))), cohorts: of.cohorts.map((cohort) => seen(cohort, [])) }
  const [parlay, outcome] = [service(config.parlay, 'parlay'), service(config.outcome, 'outcome')]
  new Session({ ...config, ...(parlay && { parlay }), ...(outcome && { outcome }), sinks: [] }).runToEnd()
}

/** The session's numbers for the witness, and for the strategy those that it has read itself. */
function seenNumbers(service: 'parlay' | 'outcome', sight: { readonly isOpen: boolean }): SeatNumbers {
  const own = new OwnNumbers(service)
  const of = (kind: 'requests' | 'quotes' | 'positions' | 'auctions' | 'bids'): ShownNumbers =>
    ({ shown: (number) => (sight.isOpen ? number : own[kind].shown(number)), meant: (shown) => own[kind].meant(shown) })
  return {
    requests: of('requests'), quotes: of('quotes'), positions: of('positions'), auctions: of('auctions'), bids: of('bids'),
    snapshot: () => own.snapshot(), restore: (image) => { own.restore(image) },
  }
}

function watched(participant: string, handlers: object, more: readonly string[], watch: Watch): object {
  const own = handlers as Record<string, unknown>
  for (const name of new Set([...Object.keys(own), ...more])) {
    const handler = own[name] as Handler | undefined
    if (handler !== undefined && typeof handler !== 'function') continue
    own[name] = (view: unknown, ...rest: unknown[]): void => {
      watch(participant, name, view, rest.at(-1))
      handler?.call(handlers, view, ...rest)
    }
  }
  return handlers
}
