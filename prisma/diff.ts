// `npm run db:diff` prints the SQL that leads from the migrations to the schema. Put it, with what Prisma cannot
// express, into migrations/<time>_<name>/migration.sql. It prints nothing when the two agree, and the whole schema with
// `npm run db:diff -- --from-nothing`. Prisma's own CLI would download a platform-specific engine; this is the same
// engine as WebAssembly.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import { SchemaEngine } from '@prisma/schema-engine-wasm'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { migrate } from './migrate.ts'
import { createPglite } from './pglite.ts'

const schemaFolder = join(import.meta.dirname, 'schema')

/** Returns the SQL that makes this database equal to the schema, empty when it is already. */
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
