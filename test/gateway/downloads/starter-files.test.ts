// The archive of starter files is made without a key, so what it costs must not grow with what strangers send.
import { expect, test } from 'vitest'
import { addressedText } from '../../../gateway/downloads/openapi.ts'
import { zipArchive, zipEntry } from '../../../gateway/downloads/archives.ts'
import { starterFiles } from '../../../gateway/downloads/starter-files.ts'
import { unzipped } from '../../support/zip.ts'
import { execFileSync } from 'node:child_process'

function given() {
  let nowMs = 0
  const find = starterFiles(addressedText('{"servers":[{"url":"<address>"}]}', '<address>'), 'private', () => nowMs)
  return { find, pass: (seconds: number) => void (nowMs += seconds * 1_000) }
}
const host = (at: number): string => `https://${at}.example`

const namedIn = (find: ReturnType<typeof given>['find'], baseUrl: string | null) => {
  const file = unzipped(Buffer.from(find(baseUrl).plain)).find(({ path }) => path === '.env.example')
  return /^WORKSPACE_API_URL=(.*)$/m.exec(String(file?.content))?.[1]
}

test('each new name gets an archive of its own, up to twenty at once and ten a second, and keeps it; the others get the neutral one', () => {
  const { find, pass } = given()
  const [neutral, first] = [find(null), find(host(0))]
  const made = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => find(host(from + at))).filter((file) => file !== neutral).length

  expect(made(0, 500)).toBe(20)
  pass(1)
  expect(made(500, 500)).toBe(10)
  expect(find(host(0))).toBe(first)
  expect([0, 1_000].map((at) => namedIn(find, host(at)))).toEqual([host(0), 'https://workspace.example'])
})

const root = `${import.meta.dirname}/../../..`

test('files come out as they went in, and a shell script can be run', () => {
  const files = { 'README.md': 'Read me\n'.repeat(1_000), 'bin/run.sh': '#!/bin/sh\n', 'näh.txt': '' }
  const entries = Object.entries(files).map(([path, text], at) => zipEntry(path, Buffer.from(text), at === 0 ? 9 : 0))

  const found = unzipped(zipArchive(entries)).map(({ path, content, mode }) => [path, content.toString(), mode])

  const modes = [0o100644, 0o100755, 0o100644]
  expect(found).toEqual(Object.entries(files).map(([path, text], at) => [path, text, modes[at]]))
})

test('the same files give the same bytes in any time zone', () => {
  const script = `
    import { zipArchive, zipEntry } from './gateway/downloads/archives.ts'
    process.stdout.write(zipArchive([zipEntry('a.txt', Buffer.from('text'), 9)]).toString('base64'))`
  const made = ['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati', 'Africa/Monrovia'].map((TZ) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, env: { TZ }, encoding: 'utf8' }),
  )

  expect(made[0]).toMatch(/^UEs/)
  expect(new Set(made).size).toBe(1)
})
