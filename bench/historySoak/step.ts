// One step of the soak in a process of its own, whose last line is its result as JSON: `step.ts make PLAN FOLDER`, `step.ts sum STORE`, or
// `step.ts first SCENARIO`, which plays until something has happened, and says after how long.
import { loadScenario } from '../../src/actions/loadScenario.ts'
import { run } from '../../src/actions/run.ts'
import { makePart } from './makePart.ts'
import type { PartPlan } from './plan.ts'
import { sumStore } from './sumStore.ts'

/** Milliseconds from the start of the process until a session has taken its first commands. */
async function firstEvent(scenario: string): Promise<number> {
  const controller = new AbortController()
  let firstMs = NaN
  const onProgress = ({ commands }: { readonly commands: number }): void => {
    if (commands === 0 || controller.signal.aborted) return
    firstMs = performance.now()
    controller.abort()
  }
  await run(loadScenario(scenario), { onProgress, signal: controller.signal }).catch((error: unknown) => {
    if (!controller.signal.aborted) throw error
  })
  return firstMs
}

const [step, ...words] = process.argv.slice(2)
const result = step === 'make' ? await makePart(JSON.parse(words[0]!) as PartPlan, words[1]!) : step === 'sum' ? sumStore(words[0]!) : { firstMs: await firstEvent(words[0]!) }
console.log(JSON.stringify(result))
