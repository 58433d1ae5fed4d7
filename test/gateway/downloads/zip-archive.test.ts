import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { zipArchive, zipEntry } from '../../../gateway/downloads/starter-files.ts'
import { unzipped } from '../../support/zip.ts'

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
    import { zipArchive, zipEntry } from './gateway/downloads/starter-files.ts'
    process.stdout.write(zipArchive([zipEntry('a.txt', Buffer.from('text'), 9)]).toString('base64'))`
  const made = ['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati', 'Africa/Monrovia'].map((TZ) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, env: { TZ }, encoding: 'utf8' }),
  )

  expect(made[0]).toMatch(/^UEs/)
  expect(new Set(made).size).toBe(1)
})
