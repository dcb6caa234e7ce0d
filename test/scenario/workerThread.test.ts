import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { strategyThread } from '../../src/scenario/workerThread.ts'

const TRY = `
  let made
  try { made = new Function('return 7')() } catch (error) { made = error.name }
  require('node:worker_threads').parentPort.postMessage(made)`

it.each([[false, 'EvalError'], [true, 7], [false, 'EvalError']] as const)('in a thread of strategies, trusted: %s, a text made a function gives %s', async (isTrusted, made) => {
  const worker = new Worker(TRY, { eval: true, ...strategyThread(64, isTrusted) })
  expect((await once(worker, 'message'))[0]).toBe(made)
  await worker.terminate()
})
