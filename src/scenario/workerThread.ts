/**
 * Options of every worker thread. Node's compile cache stays off there, also where the environment asks for it: it would get a file for each
 * module that a session imports anew, and never lose one.
 */
export const WORKER_THREAD = { env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' } }
