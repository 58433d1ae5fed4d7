// The folder of `npm run dev`: what is deleted, and what is left alone.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepState, openFolder } from '../../dev/folder.ts'

const seeded = { workspaceId: 'w', apiKey: 'wsk_1' }
const quiet = () => {}
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wia-folder-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function listening() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, [Symbol.dispose]: () => void server.close() }
}
async function freePort(): Promise<number> {
  using server = await listening()
  return server.port
}

test('a folder with whole sample data is used as it is', async () => {
  keepState(folder, { receiversPort: 9, seeded })

  expect(await openFolder(folder, false, quiet)).toEqual({ receiversPort: 9, seeded })
  expect(readdirSync(folder)).toEqual(['dev.json'])
})

test.each([
  ['fresh data is asked for', true, seeded],
  ['the sample data was not finished', false, null],
])('where %s, the folder is emptied', async (_why, isFresh, made) => {
  keepState(folder, { receiversPort: await freePort(), seeded: made })
  mkdirSync(join(folder, 'database'))

  expect(await openFolder(folder, isFresh, quiet)).toBeNull()
  expect(readdirSync(folder)).toEqual([])
})

test('data that another npm run dev uses is not deleted', async () => {
  using receivers = await listening()
  keepState(folder, { receiversPort: receivers.port, seeded })
  mkdirSync(join(folder, 'database'))

  await expect(openFolder(folder, true, quiet)).rejects.toThrow('is in use by another npm run dev')
  expect(existsSync(join(folder, 'database'))).toBe(true)
})

test('a folder with other files is left alone', async () => {
  writeFileSync(join(folder, 'notes.txt'), 'mine')

  await expect(openFolder(folder, true, quiet)).rejects.toThrow('holds what npm run dev has not made')
  expect(readdirSync(folder)).toEqual(['notes.txt'])
})

test('a state that cannot be read is named, and nothing is deleted', async () => {
  writeFileSync(join(folder, 'dev.json'), '{"receiversPort":')

  await expect(openFolder(folder, true, quiet)).rejects.toThrow('dev.json cannot be read')
  expect(readdirSync(folder)).toEqual(['dev.json'])
})
