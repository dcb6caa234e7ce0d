/** A scenario that `loadScenario` has read and checked. All actions that play one take it. */
export class Scenario {
  /** Its own name, or that of its file. */
  declare readonly name: string
  /** The path of its file, as it was given. Null of a scenario that stands in no file. */
  declare readonly path: string | null
  /** `replay`: history is fixed and nothing responds. `interactive`: agents respond to each other. */
  declare readonly mode: 'replay' | 'interactive'
  declare readonly seed: string
  declare readonly services: readonly ('parlay' | 'outcome')[]

  /** For `loadScenario`: no other scenario can be played. */
  constructor({ name, path, mode, seed, services }: Pick<Scenario, 'name' | 'path' | 'mode' | 'seed' | 'services'>) {
    this.name = name
    this.path = path
    this.mode = mode
    this.seed = seed
    this.services = services
  }
}
