import { defineConfig, mergeConfig } from 'vitest/config'
import { ALL, REPLACING, SLOW } from './test/division.ts'
import whole from './vitest.config.ts'

/** Of `npm run quick`: its files share a process and the modules in it, which Node runs as they are. Nothing is loaded or compiled twice. */
export default mergeConfig(whole, defineConfig({
  test: { include: ALL, exclude: [...SLOW, ...REPLACING], isolate: false, experimental: { viteModuleRunner: false, nodeLoader: false } },
}))
