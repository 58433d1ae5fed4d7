import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fillFromTemplate, templateFolder } from '#prisma/database-template.ts'
import { makeTemplate } from '#prisma/make-template.ts'
import { migrate } from '#prisma/migrate.ts'
import { openDataFolder } from '#prisma/pglite.ts'

const parent = mkdtempSync(join(tmpdir(), 'wia-template-'))
afterAll(() => rmSync(parent, { recursive: true, force: true }))
const folderIn = (name: string): string => {
  const folder = join(parent, name)
  mkdirSync(folder)
  return folder
}

test('a folder that is filled from a new template is a database in which no migration is pending', async () => {
  const template = join(parent, 'template')
  await makeTemplate(template)

  const pglite = await openDataFolder(folderIn('new'), (empty) => fillFromTemplate(empty, template))

  expect(await migrate({ pglite })).toEqual([])
  expect((await pglite.query('SELECT id FROM workspace')).rows).toEqual([])
  await pglite.close()
})

test('a folder that holds something stays as it is, and a copy that was broken off is made anew', () => {
  const template = folderIn('small')
  writeFileSync(join(template, 'PG_VERSION'), '18')
  const [used, empty] = [folderIn('used'), folderIn('empty')]
  writeFileSync(join(used, 'PG_VERSION'), '17')
  mkdirSync(`${empty}.new`)
  writeFileSync(join(`${empty}.new`, 'half'), '')

  for (const folder of [used, empty]) fillFromTemplate(folder, template)

  expect([used, empty].map((folder) => readFileSync(join(folder, 'PG_VERSION'), 'utf8'))).toEqual(['17', '18'])
  expect(readdirSync(empty)).toEqual(['PG_VERSION'])
})

test('without a template the folder stays empty', () => {
  const folder = folderIn('alone')

  fillFromTemplate(folder, join(parent, 'none'))

  expect(readdirSync(folder)).toEqual([])
})

test('the template of other migrations has another name', () => {
  const migrations = folderIn('migrations')
  cpSync(join(import.meta.dirname, '../../prisma/migrations'), migrations, { recursive: true })
  const name = () => basename(templateFolder(parent, migrations))
  const before = name()
  const [first = ''] = readdirSync(migrations)

  expect(before).toBe(basename(templateFolder()))
  writeFileSync(join(migrations, first, 'migration.sql'), '-- compatible: changed')
  expect(name()).not.toBe(before)
})
