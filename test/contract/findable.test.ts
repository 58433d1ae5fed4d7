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

test('the full name of each operation is also found where its handler is bound, and in a test', () => {
  const [service, tests] = [textIn('service'), textIn('test')]
  const ends = "['.,: `/]"
  const missing = (text: string) =>
    operations.map(({ name }) => name).filter((name) => !new RegExp(`[' ,\`]${name}${ends}`).test(text))

  expect({ service: missing(service), tests: missing(tests) }).toEqual({ service: [], tests: [] })
})
