import { Action, type ActionName, Refusal, type RefusalName } from '../agent/vocabulary.ts'
import { assert } from '../unit/assert.ts'

/**
 * What a reply code of a service means to the sender: one refusal for all actions, or one for each action that it answers. `never` says
 * that no action of a strategy is answered with it.
 */
export type Meaning = RefusalName | 'never' | { readonly [action in ActionName]?: RefusalName }

const ACTIONS: readonly ActionName[] = Object.keys(Action) as ActionName[]
const STRIDE = 16
const NEVER = 255

/** Refusals by reply code and action. */
export class Refusals {
  private declare readonly words: Uint8Array
  private declare readonly names: Readonly<Record<number, string>>

  /** @param codes the service's reply codes by name, 0 to 255. */
  constructor(codes: Readonly<Record<string, number>>, meanings: Readonly<Record<string, Meaning>>) {
    this.words = new Uint8Array(256 * STRIDE).fill(NEVER)
    this.names = Object.fromEntries(Object.entries(codes).map(([name, code]) => [code, name]))
    for (const [name, code] of Object.entries(codes)) {
      const meaning = meanings[name]!
      for (const action of ACTIONS) {
        const word = typeof meaning === 'object' ? meaning[action] : meaning === 'never' ? undefined : meaning
        if (word !== undefined) this.words[code * STRIDE + Action[action]] = Refusal[word]
      }
    }
  }

  /** Precondition: the service answers the action with the code. */
  of(action: number, code: number): Refusal {
    const word = this.words[code * STRIDE + action]!
    if (word === NEVER) this.fail(action, code)
    return word as Refusal
  }

  private fail(action: number, code: number): never {
    const wish = ACTIONS.find((name) => Action[name] === action)
    assert(false, `no service answers ${wish ?? `action ${action}`} with ${this.names[code] ?? `code ${code}`}`)
  }
}
