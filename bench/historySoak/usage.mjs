// Loaded before a process of the soak (`node --import`), says what it took: a line of JSON into the file of PARLOR_SOAK_USAGE.
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const path = process.env['PARLOR_SOAK_USAGE']
if (isMainThread && path !== undefined) {
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
    writeFileSync(path, JSON.stringify({ peakBytes: maxRSS * 1024, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 }))
  })
}
