// Strips one text after the other for stripTypes.mjs, in a thread of its own. A text that Node cannot strip gets null.
import { stripTypeScriptTypes } from 'node:module'
import { workerData } from 'node:worker_threads'

const { port, state, State } = workerData

port.on('message', (source) => {
  let text = null
  try {
    text = stripTypeScriptTypes(source)
  } catch {
    // Node says what is wrong with it where the file is loaded.
  }
  port.postMessage(text)
  // Who no longer waits is not told: this answer would pass for the next one's.
  Atomics.compareExchange(state, 0, State.asked, State.answered)
  Atomics.notify(state, 0)
})
