import { defineConfig } from 'vitest/config'
import Tally from './test/support/tally.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    globalSetup: ['test/support/setup.ts'],
    setupFiles: ['test/support/seed.ts'],
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default', new Tally()],
  },
})
