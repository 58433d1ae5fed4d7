// `npm run migrate`: brings the database at DATABASE_URL up to date and says what it applied.
import { databaseUrl } from '#runtime/deployment.ts'
import { runOnce } from '#runtime/process.ts'
import { readSettings } from '#runtime/settings.ts'
import { migrate } from './migrate.ts'

await runOnce('migrate', async () => {
  const settings = readSettings({ databaseUrl })
  const applied = await migrate({ url: settings.databaseUrl, application: 'migrate' })
  for (const name of applied) console.log(`applied ${name}`)
  if (applied.length === 0) console.log('up to date')
})
