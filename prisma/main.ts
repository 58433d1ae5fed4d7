// `npm run migrate`: brings the database at DATABASE_URL up to date and says what it applied. After a rollback there
// may be nothing to do: what a newer version has added stays, where this one works beside it.
import { databaseUrl } from '#runtime/shared-settings.ts'
import { runOnce } from '#runtime/process.ts'
import { readSettings } from '#runtime/settings.ts'
import { readMigrations } from './history.ts'
import { migrate } from './migrate.ts'

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
