import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventCatalogue, operations } from '#contract/api.ts'

const root = join(import.meta.dirname, '../..')
const textIn = (folder: string): string =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(root, folder, path), 'utf8'))
    .join('\n')

test('the full name of each operation and of each event is found by searching the contract for it', () => {
  const contract = textIn('contract')
  const names = [...operations.map(({ name }) => name), ...eventCatalogue.map(({ type }) => type)]

  expect(names.filter((name) => !contract.includes(`'${name}'`))).toEqual([])
})

test('the full name of each operation is also found at its handler or in a test', () => {
  const others = textIn('service') + textIn('test')

  expect(operations.map(({ name }) => name).filter((name) => !others.includes(`'${name}'`))).toEqual([])
})
