// Prints another link by which the first account is made, where that of the first start is lost: it stands in no log.
import { setupLinkHours } from '#contract/setup.ts'
import { openDatabase } from '#prisma/client.ts'
import { assertNotImporting } from '#prisma/installation-rows.ts'
import { assertMigrated } from '#prisma/migrate.ts'
import { runOnce } from '#runtime/process.ts'
import { readSettings } from '#runtime/settings.ts'
import { databaseUrl, publicUrl } from '#runtime/shared-settings.ts'
import { setupLink } from './identity/setup/rows.ts'

await runOnce('setup-link', async () => {
  const settings = readSettings({ databaseUrl, publicUrl })
  const { db, close } = await openDatabase({ url: settings.databaseUrl, connections: 1, application: 'setup-link' })
  await using _opened = { [Symbol.asyncDispose]: close }
  await assertMigrated(db)
  await assertNotImporting(db)
  const link = await setupLink(db, settings.publicUrl ?? '')
  process.stdout.write(
    link === null ? 'There is an account already.\n' : `${link}\n(good for ${setupLinkHours} hours)\n`,
  )
})
