// `npm run db:generate`, and part of `npm ci`: writes the database client of prisma/schema to prisma/generated. It
// calls the generator that Prisma's command line calls, without that program: a studio, a database server and a
// downloader of engines come with it, 140 MB.
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The functions that are used here. */
type ClientGenerator = { PrismaClientTsGenerator: new () => object }
type Internals = {
  loadSchemaContext(options: object): Promise<object>
  getGenerator(options: object): Promise<{ generate(): Promise<unknown>; stop(): void }>
}

// Their modules for `import` do not resolve.
const require = createRequire(import.meta.url)
const { PrismaClientTsGenerator } = require('@prisma/client-generator-ts') as ClientGenerator
const { getGenerator, loadSchemaContext } = require('@prisma/internals') as Internals

const schemaContext = await loadSchemaContext({
  schemaPath: { cliProvidedPath: join(import.meta.dirname, 'schema') },
  printLoadMessage: false,
})
const generator = await getGenerator({
  schemaContext,
  registry: { 'prisma-client': { type: 'in-process', generator: new PrismaClientTsGenerator() } },
  cliCommand: 'npm run db:generate',
  skipDownload: true,
})
await generator.generate()
generator.stop()
