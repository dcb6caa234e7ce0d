// Loaded into programs whose calls are recorded and then failed: tokens are the same in both, so that a call is found again by its path.
const crypto = require('node:crypto')
const { syncBuiltinESMExports } = require('node:module')
const { threadId } = require('node:worker_threads')

let drawn = 0
crypto.randomBytes = (bytes) => crypto.createHash('sha512').update(`${threadId} ${drawn++}`).digest().subarray(0, bytes)
syncBuiltinESMExports()
