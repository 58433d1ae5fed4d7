// The SQL that leads from the migrations to the schema. `node prisma/diff.ts` prints it: put it, with what Prisma cannot
// express, into migrations/<time>_<name>/migration.sql. Nothing printed means that the two agree. With `--from-nothing`
// it prints the whole schema: that is how the initial migration is made.
// Prisma's own CLI would download an engine for the platform; this is the same engine as WebAssembly.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import { SchemaEngine } from '@prisma/schema-engine-wasm'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { migrate } from './migrate.ts'
import { createPglite } from './pglite.ts'

const schemaFolder = join(import.meta.dirname, 'schema')

/** The SQL that would make this database equal to the schema; empty where it already is. */
export async function differenceToSchema(pglite: PGlite): Promise<string> {
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPGlite(pglite))
  const engine = await SchemaEngine.new({ datamodels: undefined }, () => {}, adapter)
  const files = schemaFiles()
  const { stdout } = await engine.diff({
    from: { tag: 'schemaDatasource', files, configDir: schemaFolder },
    to: { tag: 'schemaDatamodel', files },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  })
  return stdout === null || stdout.includes('This is an empty migration') ? '' : stdout
}

function schemaFiles() {
  return readdirSync(schemaFolder).map((path) => ({ path, content: readFileSync(join(schemaFolder, path), 'utf8') }))
}

if (import.meta.main) {
  const pglite = await createPglite()
  if (!process.argv.includes('--from-nothing')) await migrate({ pglite })
  process.stdout.write(await differenceToSchema(pglite))
  await pglite.close()
}
