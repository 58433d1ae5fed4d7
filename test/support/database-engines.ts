// The two engines that every table and statement must work on, and where each is skipped.
import { describe } from 'vitest'
import type { DatabaseKind } from './database.ts'
import { services } from './services.ts'

/** Runs the tests once per engine: `on postgres`, `on pglite`. */
export function onEachEngine(tests: (kind: DatabaseKind) => void): void {
  for (const kind of ['postgres', 'pglite'] as const) {
    const absent = kind === 'postgres' && services().postgres === null
    describe.skipIf(absent)(`on ${kind}`, () => {
      tests(kind)
    })
  }
}
