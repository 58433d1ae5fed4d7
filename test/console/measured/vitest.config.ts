import { defineConfig } from 'vitest/config'

// Not part of the tests: `npm run cold-load` and `npm run long-table` measure anew.
export default defineConfig({
  test: {
    include: ['test/console/measured/docs.ts', 'test/console/measured/long-table.ts'],
    testTimeout: 900_000,
    hookTimeout: 900_000,
    globalSetup: ['test/support/global-setup.ts'],
    execArgv: ['--liftoff-only'],
  },
})
