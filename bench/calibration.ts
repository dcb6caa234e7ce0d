// A fixed loop, as fast as the machine is at the moment: prints million steps per CPU-second.
import { cpuSeconds } from './cpuSeconds.ts'
import { loop } from './loop.ts'

const STEPS = 10_000_000
const WARM_STEPS = 2_000_000

const warm = loop(WARM_STEPS)
const before = process.cpuUsage()
const sum = loop(STEPS)
console.log(JSON.stringify({ millionSteps: STEPS / cpuSeconds(before) / 1e6, sum: sum + warm }))
