import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepSetupLink } from '../../standalone/generated-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'setup-link-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('the link is kept in a folder that is made for it, for its owner alone, until there is none', () => {
  const made = join(folder, 'not', 'there')

  const path = keepSetupLink(made, 'http://127.0.0.1/settings/setup#token') ?? ''

  expect(readFileSync(path, 'utf8')).toBe('http://127.0.0.1/settings/setup#token\n')
  expect([statSync(made).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600])
  expect(keepSetupLink(made, null)).toBeNull()
  expect(existsSync(path)).toBe(false)
})

test('a folder that cannot be used is no reason to end', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')

  expect(keepSetupLink(file, 'http://127.0.0.1/settings/setup#token')).toBeNull()
  expect(keepSetupLink(file, null)).toBeNull()
})
