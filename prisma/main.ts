// `npm run migrate`: applies the pending migrations to the database at DATABASE_URL and prints their names. After a
// rollback there may be none: compatible migrations of the newer version stay.
import { databaseUrl } from '#runtime/shared-settings.ts'
import { runOnce } from '#runtime/process.ts'
import { readSettings } from '#runtime/settings.ts'
import { readMigrations, migrate } from './migrate.ts'

await runOnce('migrate', async () => {
  const settings = readSettings({ databaseUrl })
  const applied = await migrate({ url: settings.databaseUrl, application: 'migrate' }, readMigrations(), (names) =>
    console.warn(
      `Warning: the database was migrated by a newer version, beside which this one works: ${names.join(', ')}`,
    ),
  )
  for (const name of applied) console.log(`applied ${name}`)
  if (applied.length === 0) console.log('up to date')
})
