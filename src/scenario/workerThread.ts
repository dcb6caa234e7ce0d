/**
 * Options of every worker thread. The types of its modules are stripped in another thread, as those of the thread that starts it:
 * stripped in this one they would slow its sessions down (docs/decisions/0013).
 */
export const WORKER_THREAD = { execArgv: ['--import', new URL('../../bin/stripTypes.mjs', import.meta.url).href] }
