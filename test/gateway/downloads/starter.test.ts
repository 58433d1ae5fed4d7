// The archive of starter files is made without a key, so what it costs must not grow with what strangers send.
import { expect, test } from 'vitest'
import { packed } from '../../../gateway/downloads/file.ts'
import { starterFiles } from '../../../gateway/downloads/starter.ts'
import { unzipped } from '../../support/zip.ts'

function given() {
  let nowMs = 0
  let described = 0
  const find = starterFiles(
    async () => (described++, packed('{"openapi":"3.1.0"}', 'application/json')),
    () => nowMs,
  )
  return { find, described: () => described, pass: (seconds: number) => void (nowMs += seconds * 1_000) }
}
const host = (at: number): string => `https://${at}.example`

async function namedIn(find: ReturnType<typeof given>['find'], baseUrl: string | null): Promise<string> {
  const env = unzipped(Buffer.from((await find(baseUrl)).plain)).find(({ path }) => path === '.env.example')
  return /^WORKSPACE_API_URL=(.*)$/m.exec(env?.content.toString() ?? '')?.[1] ?? ''
}

test('each new name gets an archive of its own, up to twenty at once and ten a second; the others get the neutral one', async () => {
  const { find, pass } = given()
  const neutral = await find(null)
  const made = async (from: number, count: number) => {
    const files = await Promise.all(Array.from({ length: count }, (_, at) => find(host(from + at))))
    return files.filter((file) => file !== neutral).length
  }

  expect(await made(0, 500)).toBe(20)
  pass(1)
  expect(await made(500, 500)).toBe(10)
  expect(await namedIn(find, host(1_000))).toBe('https://workspace.example')
})

test('a name that has an archive goes on getting it while strangers make up names', async () => {
  const { find } = given()
  const first = await find(host(0))
  for (let at = 1; at < 500; at++) await find(host(at))

  expect(await find(host(0))).toBe(first)
  expect(await namedIn(find, host(0))).toBe(host(0))
})

test('the description is asked for and packed once, however many ask at the same time', async () => {
  const { find, described } = given()

  const files = await Promise.all(Array.from({ length: 20 }, (_, at) => find(host(at % 2))))

  expect(described()).toBe(1)
  expect(new Set(files).size).toBe(2)
  const content = unzipped(Buffer.from(files[0]?.plain ?? [])).find(({ path }) => path === 'openapi.json')?.content
  expect(content?.toString()).toBe('{"openapi":"3.1.0"}')
})
