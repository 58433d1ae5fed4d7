import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDataFolder } from '#prisma/data-folder.ts'

const parent = mkdtempSync(join(tmpdir(), 'wia-folder-'))
afterAll(() => rmSync(parent, { recursive: true, force: true }))

test('what was written is found again', async () => {
  const folder = join(parent, 'again')
  {
    await using before = await openDataFolder(folder)
    await before.exec('CREATE TABLE kept (id INT); INSERT INTO kept VALUES (7)')
  }

  await using after = await openDataFolder(folder)

  expect((await after.query('SELECT id FROM kept')).rows).toEqual([{ id: 7 }])
})

test('a folder that another process holds is refused, until that process ends, however it ends', async () => {
  const folder = join(parent, 'held')
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', holding(folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await using _ended = { [Symbol.asyncDispose]: async () => void holder.kill('SIGKILL') }
  await once(holder.stdout, 'data')

  await expect(openDataFolder(folder)).rejects.toThrow(`The data folder ${folder} is in use by another process.`)

  holder.kill('SIGKILL')
  await once(holder, 'exit')
  await (await openDataFolder(folder)).close()
})

test('nobody but its owner can read what is in a folder, not even what was open to all before', async () => {
  const folder = join(parent, 'own')
  await (await openDataFolder(folder)).close()
  chmodSync(join(folder, 'PG_VERSION'), 0o644)

  {
    await using pglite = await openDataFolder(folder)
    await pglite.exec('CREATE TABLE made (id INT)')
  }

  const open = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => (statSync(join(folder, path)).mode & 0o077) !== 0,
  )
  expect(open).toEqual([])
})

const holding = (folder: string): string => `
import { openDataFolder } from '#prisma/data-folder.ts'
await openDataFolder(${JSON.stringify(folder)})
console.log('open')
setInterval(() => {}, 1000)`
