// Imports a file into a store: `import.ts FORMAT FILE MAP STORE WORKERS`.
import { importData } from '../../src/actions/importData.ts'
import { cpuSeconds } from '../cpuSeconds.ts'

const [format, file, map, into, workers] = process.argv.slice(2) as [string, string, string, string, string]
const [before, startedMs] = [process.cpuUsage(), performance.now()]
await importData(format, [file], { map, into, workers: Number(workers), onNote: () => {} })
console.log(JSON.stringify({ cpuSeconds: cpuSeconds(before), wallSeconds: (performance.now() - startedMs) / 1000, peakMb: process.resourceUsage().maxRSS * 1.024e-3 }))
