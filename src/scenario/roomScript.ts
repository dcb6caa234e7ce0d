import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** In a bundle, which tools/bundle writes: what `bundledRoom` makes. */
declare const BUNDLED_ROOM: string | undefined

const ENTRY = fileURLToPath(new URL('../agent/roomRealm.ts', import.meta.url))

let script: Promise<string> | undefined

/** The script that a room begins with. Its value is the `RoomRealm` of the context in which it runs. */
export const roomScript = (): Promise<string> =>
  (script ??= typeof BUNDLED_ROOM === 'string' ? Promise.resolve(BUNDLED_ROOM) : bundledRoom())

/** Bundles `src/agent/roomRealm.ts` with the facades that strategies are given: some 0.1 s, which only those wait for who run the sources. */
export async function bundledRoom(): Promise<string> {
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    input: ENTRY, cwd: dirname(ENTRY), tsconfig: false, transform: { target: 'esnext', define: { IN_ROOM: 'true' } }, optimization: { inlineConst: { mode: 'all', pass: 3 } },
  })
  const { output: [{ code }] } = await build.generate({ format: 'iife', name: 'room', exports: 'default', comments: false })
  await build.close()
  // A name at the top would be one of the room's globals.
  return `(function () {'use strict'\n${code}\nreturn room\n})()`
}
