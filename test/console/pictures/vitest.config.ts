import { defineConfig } from 'vitest/config'

// Not part of the tests: `npm run pictures` makes the README's pictures anew.
export default defineConfig({
  test: {
    include: ['test/console/pictures/readme.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    globalSetup: ['test/support/global-setup.ts'],
    execArgv: ['--liftoff-only'],
  },
})
