import { defineConfig } from 'prisma/config'

// `prisma generate` never runs the schema engine, but the CLI wants to fetch one. Any path stops it.
process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= import.meta.filename

export default defineConfig({ schema: 'prisma/schema' })
