// The folder of `npm run dev`: what is deleted, and what is left alone.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { keepState, openFolder } from '../../dev/folder.ts'
import { freePort } from '../support/servers/server.ts'

const seeded = { workspaceId: 'w', apiKey: 'wsk_1' }
const quiet = () => {}
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wia-folder-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

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
  const receiversPort = await freePort()
  const receivers = createServer().listen(receiversPort, '127.0.0.1')
  onTestFinished(() => void receivers.close())
  await once(receivers, 'listening')
  keepState(folder, { receiversPort, seeded })
  mkdirSync(join(folder, 'database'))

  await expect(openFolder(folder, true, quiet)).rejects.toThrow('is in use by another npm run dev')
  expect(existsSync(join(folder, 'database'))).toBe(true)
})

test.each([
  ['with other files', 'notes.txt', 'mine', 'holds what npm run dev has not made'],
  ['with a state that cannot be read', 'dev.json', '{"receiversPort":', 'dev.json cannot be read'],
])('a folder %s is left alone, and said to be so', async (_what, name, text, sentence) => {
  writeFileSync(join(folder, name), text)

  await expect(openFolder(folder, true, quiet)).rejects.toThrow(sentence)
  expect(readdirSync(folder)).toEqual([name])
})
