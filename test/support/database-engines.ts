// The two engines that every table and statement must work on, and where each is skipped.
import { afterAll, beforeAll, describe } from 'vitest'
import { freshDatabase, type DatabaseKind, type FreshDatabase } from './database.ts'
import { late } from './late.ts'
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

/** Runs the tests on Postgres alone, where the embedded database cannot differ or cannot do it. */
export function onPostgres(tests: () => void): void {
  describe.skipIf(services().postgres === null)('on postgres', () => {
    tests()
  })
}

/** `url`: of a Postgres; empty for PGlite. */
type Shared = Pick<FreshDatabase, 'db'> & { readonly url: string }

/** One for all tests of a block, each of which works in workspaces of its own. It is there in tests and hooks only. */
export function sharedDatabase(...given: Parameters<typeof freshDatabase>): Shared {
  let opened: FreshDatabase | undefined
  beforeAll(async () => {
    opened = await freshDatabase(...given)
  })
  afterAll(() => opened?.close())
  return late(() => opened && { db: opened.db, url: opened.url ?? '' })
}
