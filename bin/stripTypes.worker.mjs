// Strips one text after the other for stripTypes.mjs, in a thread of its own. A text that Node cannot strip gets null.
import { stripTypeScriptTypes } from 'node:module'
import { workerData } from 'node:worker_threads'

const { port, answered } = workerData

port.on('message', (source) => {
  let text = null
  try {
    text = stripTypeScriptTypes(source)
  } catch {
    // Node says what is wrong with it where the file is loaded.
  }
  port.postMessage(text)
  Atomics.store(answered, 0, 1)
  Atomics.notify(answered, 0)
})
