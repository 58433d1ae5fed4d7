import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import Tally from './test/support/tally-reporter.ts'

// Each file has a process of its own, and some start the product's: they load the same packages again and again.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'wia-compile-cache')

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    pool: 'forks',
    // The embedded database is WebAssembly: to optimise it takes longer than a file's few queries gain by that.
    execArgv: ['--liftoff-only'],
    maxWorkers: 2,
    reporters: ['default', new Tally()],
  },
})
