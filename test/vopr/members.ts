import { type Facades, FACADES } from '../../src/agent/facades/facades.ts'
import { Session } from '../../src/engine/session.ts'
import { buildSession } from '../../src/scenario/build.ts'
import type { PreparedScenario } from '../../src/scenario/run.ts'

/** Which members of desks and views there are, and which of them strategies have called; each as `kind.member`. */
export class Members {
  readonly all = new Set<string>()
  readonly called = new Set<string>()
  private readonly targets = new WeakMap<object, object>()

  /** Facades that note what is called of them. */
  readonly facades: Facades = {
    ...Object.fromEntries(Object.keys(FACADES).filter((kind) => kind !== 'restoreState').map((kind) =>
      [kind, (of: never) => this.counted(kind, FACADES[kind as 'request'](of))])) as unknown as Facades,
    restoreState: FACADES.restoreState,
  }

  get missing(): string[] {
    return [...this.all].filter((member) => !this.called.has(member)).toSorted()
  }

  /** The same object, which notes under `kind` what of it is called. */
  private counted<T extends object>(kind: string, target: T): T {
    for (const key of Reflect.ownKeys(Object.getPrototypeOf(target) as object)) this.all.add(`${kind}.${String(key)}`)
    const own = (given: unknown): unknown => this.targets.get(given as object) ?? given
    const proxy = new Proxy(Object.create(Object.getPrototypeOf(target) as object) as T, {
      get: (_, key) => {
        this.called.add(`${kind}.${String(key)}`)
        const value: unknown = Reflect.get(target, key, target)
        if (typeof value === 'function') return (...given: unknown[]) => this.countedPart(kind, key, (value as (...given: unknown[]) => unknown).apply(target, given.map(own)))
        return this.countedPart(kind, key, value)
      },
    })
    this.targets.set(proxy, target)
    return proxy
  }

  /** Legs and exposures have members of their own. Names of a market are texts. */
  private countedPart(kind: string, key: PropertyKey, value: unknown): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) return value
    return this.counted(key === 'legs' ? `legs of ${kind === 'intent' || kind === 'holding' ? 'bettors' : 'makers'}` : String(key), value)
  }
}

/** Plays a scenario whose strategies from files note what they call. */
export function playCounted({ resolved, strategies, store }: PreparedScenario, { facades }: Members): void {
  const { config } = buildSession(resolved, strategies, store)
  const isFile = (name: string, participants: readonly { readonly name: string; readonly strategy: string }[]): boolean => participants.find((one) => one.name === name)?.strategy.startsWith('.') === true
  type Service = { readonly makers: readonly { readonly name: string; readonly strategy: object }[]; readonly cohorts: readonly { readonly name: string; readonly strategy: object }[] }
  const counted = <S extends Service>(of: S | undefined): S | undefined => of && {
    ...of,
    makers: of.makers.map((maker) => (isFile(maker.name, resolved.makers) ? { ...maker, strategy: { ...maker.strategy, facades } } : maker)),
    cohorts: of.cohorts.map((cohort) => (isFile(cohort.name, resolved.bettors) ? { ...cohort, strategy: { ...cohort.strategy, facades } } : cohort)),
  }
  const [parlay, outcome] = [counted(config.parlay), counted(config.outcome)]
  const session = new Session({ ...config, ...(parlay && { parlay }), ...(outcome && { outcome }), sinks: [] })
  for (let left = 2e6; session.run(10_000); left -= 10_000) if (left < 0) throw new Error('endless')
}
