// The archive of starter files is made without a key, so what it costs must not grow with what strangers send.
import { expect, test } from 'vitest'
import { starterFiles } from '../../../gateway/downloads/starter-files.ts'
import { unzipped } from '../../support/zip.ts'

function given() {
  let nowMs = 0
  let described = 0
  const find = starterFiles(
    () => (described++, Buffer.from('{"openapi":"3.1.0"}')),
    () => nowMs,
  )
  return { find, described: () => described, pass: (seconds: number) => void (nowMs += seconds * 1_000) }
}
const host = (at: number): string => `https://${at}.example`

function namedIn(find: ReturnType<typeof given>['find'], baseUrl: string | null): string {
  const env = unzipped(Buffer.from(find(baseUrl).plain)).find(({ path }) => path === '.env.example')
  return /^WORKSPACE_API_URL=(.*)$/m.exec(env?.content.toString() ?? '')?.[1] ?? ''
}

test('each new name gets an archive of its own, up to twenty at once and ten a second; the others get the neutral one', () => {
  const { find, pass } = given()
  const neutral = find(null)
  const made = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => find(host(from + at))).filter((file) => file !== neutral).length

  expect(made(0, 500)).toBe(20)
  pass(1)
  expect(made(500, 500)).toBe(10)
  expect(namedIn(find, host(1_000))).toBe('https://workspace.example')
})

test('a name that has an archive goes on getting it while strangers make up names', () => {
  const { find } = given()
  const first = find(host(0))
  for (let at = 1; at < 500; at++) find(host(at))

  expect(find(host(0))).toBe(first)
  expect(namedIn(find, host(0))).toBe(host(0))
})

test('the description is asked for and packed once, however many ask', () => {
  const { find, described } = given()

  const files = Array.from({ length: 20 }, (_, at) => find(host(at % 2)))

  expect(described()).toBe(1)
  expect(new Set(files).size).toBe(2)
  const content = unzipped(Buffer.from(files[0]?.plain ?? [])).find(({ path }) => path === 'openapi.json')?.content
  expect(content?.toString()).toBe('{"openapi":"3.1.0"}')
})
