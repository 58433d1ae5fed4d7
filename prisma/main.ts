// `npm run migrate`: applies the pending migrations to the database at DATABASE_URL and prints their names. After a
// rollback there may be none: compatible migrations of the newer version stay. Grants DATABASE_APP_ROLE what it needs.
import { runOnce } from '#runtime/process.ts'
import { readSettings } from '#runtime/settings.ts'
import { readMigrations, migrate } from './migrate.ts'
import { settings as declared } from './settings.ts'

await runOnce('migrate', async () => {
  const { databaseUrl: url, databaseAppRole: appRole } = readSettings(declared)
  const warn = (names: readonly string[]) =>
    console.warn(
      `Warning: the database was migrated by a newer version, beside which this one works: ${names.join(', ')}`,
    )
  const applied = await migrate({ url, application: 'migrate' }, readMigrations(), warn, appRole)
  for (const name of applied) console.log(`applied ${name}`)
  if (applied.length === 0) console.log('up to date')
})
