// The documentation beyond its pages: the address of the installation in them, their Markdown, the index of the search,
// and the texts for language models.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gunzipSync } from 'node:zlib'
import { readGuides } from '../../../gateway/downloads/guides.ts'
import { memoryRateLimiter } from '../../../gateway/rate-limit/limiter.ts'
import { atMost, edgeOfFile, startEdge } from '../support/edge.ts'
import { getBytes } from '../support/get-bytes.ts'
import { thrownBy } from '../support/checks.ts'
import { startupSentence } from '#runtime/process.ts'

const { edge } = edgeOfFile({ rateLimiter: memoryRateLimiter(atMost(1)), trustedProxies: ['127.0.0.1'] })
const get = (path: string, headers?: Record<string, string>) => getBytes(edge.gateway.url + path, headers)
const text = async (path: string, headers?: Record<string, string>) => (await get(path, headers)).body.toString()

const folder = join(import.meta.dirname, '../../../docs/guides')
const files = globSync('*.md', { cwd: folder })
const placeholder = 'https://workspace.example'

test('the overview names every guide once, and each has the title that it is named by there, or a longer one', () => {
  const { navigation, pages } = readGuides()

  const named = pages.map(({ path }) => `${path.replace('/docs/', '')}.md`)
  expect(named.toSorted()).toEqual(files.filter((name) => name !== 'README.md').toSorted())
  expect(new Set(named).size).toBe(named.length)
  const titles = new Map(pages.map(({ path, markdown }) => [path, /^# (.+)$/m.exec(markdown)?.[1] ?? '']))
  for (const { path, title, summary } of navigation.flatMap(({ entries }) => entries)) {
    expect(titles.get(path) ?? title).toContain(title)
    expect(summary).toMatch(/^.{10,}\.$/)
  }
})

test('a folder without the overview fails the start in a sentence', () => {
  const error = thrownBy(() => readGuides('/nowhere'))

  expect(startupSentence(error)).toBe('The guide /nowhere/README.md cannot be read.')
})

test('pages, Markdown and texts name the address that they were asked at, and no placeholder', async () => {
  const paths = ['/docs/quick-start', '/docs/mcp', '/docs/mcp.md', '/llms.txt', '/llms-full.txt']
  for (const path of paths) {
    for (const host of ['api.acme.example:8443', 'other.example']) {
      const plain = await get(path, { host })
      const packed = await get(path, { host, 'accept-encoding': 'gzip' })

      expect(plain.body.toString()).toContain(`http://${host}/`)
      expect(plain.body.toString()).not.toContain(placeholder)
      expect(plain.headers['cache-control']).toMatch(/^private, /)
      expect(gunzipSync(packed.body).equals(plain.body)).toBe(true)
    }
  }
})

test('each guide whose samples read the address or a key says once how both are set, above the first of them', async () => {
  const shellBlocks = (markdown: string): string[] =>
    Array.from(markdown.matchAll(/^```sh\n([^]*?)\n```$/gm), ([, block = '']) => block)
  const isReading = (block: string): boolean => /\$(?:API|WORKSPACE_API_KEY)\b/.test(block)
  const setUp = `export API=${edge.gateway.url}/api/v1 WORKSPACE_API_KEY=wsk_…`
  const { pages } = readGuides()

  const reading = pages.filter(({ markdown }) => shellBlocks(markdown).some(isReading))
  const orders = await Promise.all(
    reading.map(async ({ path }) => {
      const blocks = shellBlocks(await text(`${path}.md`))
      const settings = blocks.flatMap((block, at) => (block === setUp ? [at] : []))
      return [path, settings.length, Math.sign(blocks.findIndex(isReading) - (settings[0] ?? Infinity))]
    }),
  )
  const named = await Promise.all(
    pages.map(async ({ path }) => ((await text(path)).includes(`<code>${setUp}</code>`) ? path : null)),
  )

  expect(reading.length).toBeGreaterThan(15)
  expect(orders).toEqual(reading.map(({ path }) => [path, 1, 1]))
  expect(named.filter((path) => path !== null)).toEqual(reading.map(({ path }) => path))
})

test('a page with a slash at its end leads to the page, with its query; an unknown one is not found', async () => {
  const pages = ['/docs', '/docs/quick-start', '/docs/scopes', '/docs/errors/not_found']

  for (const path of pages)
    expect(await get(`${path}/?from=a/b`)).toMatchObject({ status: 308, headers: { location: `${path}?from=a/b` } })
  for (const path of ['/docs/nothing/', '/docs//', '/docs/quick-start//'])
    expect([path, (await get(path)).status]).toEqual([path, 404])
})

test('where PUBLIC_URL is set, they name it, and every cache may keep them', async () => {
  await using known = await startEdge({ publicUrl: 'https://api.example.com' })

  const answer = await getBytes(`${known.gateway.url}/docs/quick-start`, { host: 'other.example' })

  expect(answer.body.toString()).toContain('https://api.example.com/api/v1')
  expect(answer.headers['cache-control']).toMatch(/^public, /)
})

test('an address that cannot be one is not taken into a page', async () => {
  for (const host of ['a.example"><script>', 'a b']) {
    const { status, body } = await get('/docs/quick-start', { host })
    if (status === 200) expect(body.toString()).toContain(placeholder)
    expect(body.toString()).not.toContain('<script>')
  }
})

test('llms.txt leads to each guide and each page of the contract as Markdown, whose links lead somewhere too', async () => {
  const listed = await text('/llms.txt')
  const links = Array.from(listed.matchAll(/\]\(([^)]+)\)/g), ([, href = '']) => href)

  expect(listed).toMatch(/^# Workspace integration API\n\n> .+\n\n## /)
  expect(links.length).toBe(readGuides().navigation.flatMap(({ entries }) => entries).length)
  const broken: string[] = []
  for (const link of links) {
    const answer = await fetch(link)
    if (answer.status !== 200) broken.push(link)
    const markdown = await answer.text()
    for (const [, href = ''] of withoutCode(markdown).matchAll(/\]\((\/[^)#\s]*)/g))
      if ((await get(href)).status !== 200) broken.push(`${link} → ${href}`)
  }
  expect(broken).toEqual([])
})

test('llms-full.txt has every guide in full', async () => {
  const full = await text('/llms-full.txt')

  for (const name of files.filter((name) => name !== 'README.md')) {
    const guide = readFileSync(join(folder, name), 'utf8')
    for (const [heading] of guide.matchAll(/^##? .+$/gm)) expect(full).toContain(heading)
  }
})

test('the index of the search has every section of every guide, at an address that is there', async () => {
  const sections = JSON.parse(await text('/docs/search.json')) as { id: string; title: string; text: string }[]

  const ids = sections.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual(
    expect.arrayContaining(['/docs/writing', '/docs/webhooks#7-rotate-the-secret', '/docs/errors/rate_limited']),
  )
  const pages = new Map<string, string>()
  for (const { id, title, text: words } of sections) {
    const [path = '', anchor = ''] = id.split('#')
    const page = pages.get(path) ?? (await text(path))
    pages.set(path, page)
    // Those of the reference are made in the browser, and named by its lists.
    if (anchor !== '') expect(page).toContain(anchor.startsWith('/') ? `href="${id}"` : ` id="${anchor}"`)
    expect([title, words]).not.toContain('[object Object]')
    expect(words).not.toContain('For the samples on this page')
  }
})

const withoutCode = (markdown: string): string =>
  markdown.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '')
