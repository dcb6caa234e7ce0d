/**
 * Options of every worker thread. The types of its modules are stripped in another thread, as those of the thread that starts it:
 * stripped in this one they would slow its sessions down (docs/decisions/0013). Node's compile cache stays off there, also where the
 * environment asks for it: it would get a file for each module that a session imports anew, and never lose one.
 */
export const WORKER_THREAD = {
  execArgv: ['--import', new URL('../../bin/stripTypes.mjs', import.meta.url).href],
  env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
}
