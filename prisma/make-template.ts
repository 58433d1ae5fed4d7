// Part of `npm ci`: makes the template that new data folders are copied from, and deletes those of other versions.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { templateFolder, templatePrefix } from './database-template.ts'
import { migrate } from './migrate.ts'
import { createPglite } from './pglite.ts'

/** Renamed into place when it is whole. */
export async function makeTemplate(folder: string): Promise<void> {
  const half = `${folder}.${process.pid}`
  mkdirSync(half, { recursive: true })
  const pglite = await createPglite({ dataDir: half })
  await migrate({ pglite })
  await pglite.close()
  renameSync(half, folder)
}

if (import.meta.main) {
  const folder = templateFolder()
  const parent = dirname(folder)
  const others = readdirSync(parent).filter((name) => name.startsWith(templatePrefix) && name !== basename(folder))
  for (const name of others) rmSync(join(parent, name), { recursive: true })
  if (!existsSync(folder)) await makeTemplate(folder)
}
