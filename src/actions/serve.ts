import { throwIfAborted } from '../unit/interrupted.ts'
import { acting } from './options.ts'
import type { Scenario } from './scenario.ts'
import type { ServedRun, ServeOptions } from './servedSession.ts'

/**
 * Plays a scenario with clients that trade over HTTP, until its end or the signal, and leaves the run as `run` does. The signal ends the session in
 * good order: the run is kept up to there. Strategies inside of the session play as in `run`.
 *
 * @param scenario what `loadScenario` returns, with seats that are `external: true`
 * @returns the run, and how the session went
 * @throws InputError for a port, a host or a folder that cannot be
 * @throws RunFailure as `run`
 * @throws Interrupted by a signal before clients could come
 * @example
 * await serve(loadScenario('scenarios/live.yaml'), {
 *   out: 'runs/live', pace: { clock: 'lockstep', patienceMs: 30_000 }, onServing: ({ services, credentials }) => console.log(services, credentials),
 * })
 */
export const serve = (scenario: Scenario, options: ServeOptions): Promise<ServedRun> => acting(async () => {
  throwIfAborted(options.signal)
  const { serveScenario } = await import('./served/serveScenario.ts')
  return serveScenario(scenario, options)
})
