// The pages that answer without a key: the guides, every error, every scope, every change.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { exampleProblem } from '#contract/faults/help.ts'
import { faultCodes, fieldCodes, pageOfFault, statusOf, titleOf } from '#contract/faults/fault.ts'
import { presetNamed, presetNames } from '#contract/key-preset.ts'
import { scopes } from '#contract/scopes.ts'
import { readGuides } from '../../../gateway/downloads/guides.ts'
import { memoryRateLimiter } from '../../../gateway/rate-limit/limiter.ts'
import { atMost, edgeOfFile, statusAndCode } from '../support/edge.ts'

const { edge } = edgeOfFile({ rateLimiter: memoryRateLimiter(atMost(1)) })

const inBrowser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const guidesFolder = join(import.meta.dirname, '../../../docs/guides')
const guideFiles = globSync('*.md', { cwd: guidesFolder }).filter((name) => name !== 'README.md')
const guides = guideFiles.map((name) => `/docs/${name.replace(/\.md$/, '')}`)
const fixed = ['/', '/docs', '/docs/reference', '/docs/errors', '/docs/scopes', '/docs/changelog']
const pages = [...fixed, ...guides, ...faultCodes.map(pageOfFault)]

async function get(path: string, accept?: string) {
  const response = await fetch(edge.gateway.url + path, { headers: { ...(accept && { accept }) } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const json = async (path: string) => JSON.parse((await get(path, 'application/json')).text)

test.each(faultCodes)('%s has a page that says what it means and what to do, with an example', async (code) => {
  const told = await json(pageOfFault(code))
  const { headers, text } = await get(pageOfFault(code), inBrowser)

  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(text).toContain(`<code>${code}</code>, status ${statusOf(code)}`)
  expect(told).toMatchObject({ code, status: statusOf(code), title: titleOf(code) })
  const type = code === 'rate_limited' ? expect.stringMatching(/#quota-exceeded$/) : pageOfFault(code)
  expect(told.example).toMatchObject({ type, code, status: statusOf(code) })
  for (const words of [told.meaning, told.advice, told.example.detail]) expect(words).toMatch(/^.{10,}[.?]$/)
  for (const part of ['What it means', 'What to do', 'Example']) expect(text).toContain(`${part}</h2>`)
})

test('the list of errors has each code with its page, and each code of values', async () => {
  const { data, fieldCodes: ofValues } = await json('/docs/errors')
  const { text } = await get('/docs/errors', inBrowser)

  expect(data.map(({ code }: { code: string }) => code)).toEqual(faultCodes)
  expect(ofValues.map(({ code }: { code: string }) => code)).toEqual(fieldCodes)
  for (const code of faultCodes) expect(text).toContain(`<a href="${pageOfFault(code)}"><code>${code}</code></a>`)
})

test('what an example shows is what is answered', async () => {
  const { token } = edge.service.key({ scopes: ['projects:read'] })
  const answers = [
    await edge.call('GET', '/api/v1/projects'),
    await edge.call('GET', '/api/v1/projects', { token: 'nobody' }),
    await edge.call('GET', '/api/v1/projetcs'),
    await edge.call('POST', '/api/v1/projects', { token, body: { name: 'x' } }),
  ]

  const without = ({ requestId: _id, instance: _path, ...rest }: Record<string, unknown>) => rest
  const shown = answers.map(({ body }) => without(exampleProblem(body.code) as never))
  expect(answers.map(({ body }) => without(body))).toEqual(shown)
  const codes = ['missing_credentials', 'invalid_api_key', 'route_not_found', 'insufficient_scope']
  expect(shown.map(({ code }) => code)).toEqual(codes)
})

test('the page of scopes has each scope with the calls that it opens, and each preset', async () => {
  const told = await json('/docs/scopes')
  const { text } = await get('/docs/scopes', inBrowser)

  const opened = told.scopes.flatMap((each: { operations: string[] }) => each.operations)
  const needing = operations.filter(({ audiences, scope }) => audiences.includes('api') && scope !== null)
  expect(told.scopes.map(({ scope }: { scope: string }) => scope)).toEqual(scopes)
  expect(opened.toSorted()).toEqual(needing.map(({ name }) => name).toSorted())
  expect(told.presets).toEqual(presetNames.map((name) => ({ name, ...presetNamed(name) })))
  for (const name of [...scopes, ...presetNames]) expect(text).toContain(`<code>${name}</code>`)
})

test('the changelog has each change under its release, and leads nowhere that is not served', async () => {
  const [first] = (await json('/docs/changelog')).releases
  const { text } = await get('/docs/changelog', inBrowser)

  const written = readFileSync(join(import.meta.dirname, '../../../CHANGELOG.md'), 'utf8')
  const [, newest = ''] = written.split(/^## /m)
  expect(first.name).toBe(newest.split('\n')[0])
  expect(first.changes).toHaveLength(newest.match(/^- /gm)?.length ?? 0)
  expect(text.match(/<li>/g)?.length).toBeGreaterThanOrEqual(first.changes.length)
  expect(text).not.toContain('](')
})

test('the first page leads to every guide and to all that needs no key', async () => {
  const { version, links } = await json('/')
  const { text: first } = await get('/', inBrowser)

  const { api: _api, mcp: _mcp, ...linked } = links
  expect(first).toContain(`Version ${version}`)
  for (const href of [...Object.values(linked), ...guides]) expect(first).toContain(`href="${String(href)}"`)
  const descriptions = ['description', 'description30', 'settingsDescription']
  const tools = ['starter', 'commandLine', 'postman', 'bruno', 'http', 'workflows', 'overlay']
  const names = [...descriptions, ...tools, 'errors', 'scopes', 'changelog']
  expect(Object.keys(linked)).toEqual(names)
  expect(await get('/docs', inBrowser)).toMatchObject({ status: 200, text: first })
})

test('every link of every page leads to a page, and to a section of it where it names one', async () => {
  const hrefs = new Set<string>()
  for (const path of pages) {
    const { text } = await get(path, inBrowser)
    for (const [, href = ''] of text.matchAll(/ href="([^"]+)"/g))
      if (!/^(?:https?|data):/.test(href)) hrefs.add(new URL(href, `http://docs.invalid${path}`).href.slice(19))
  }

  const { text: described } = await get('/api/v1/openapi.json')
  const texts = new Map<string, Awaited<ReturnType<typeof get>>>()
  const broken: string[] = []
  for (const href of hrefs) {
    const [path = '', id = ''] = href.split('#')
    const answer = texts.get(path) ?? (await get(path, inBrowser))
    texts.set(path, answer)
    // Those of the reference are made in the browser: each names an operation of the description.
    if (id.startsWith('/')) {
      const name = id.split('/').at(-1) ?? ''
      if (!described.includes(`"operationId":"${name}"`)) broken.push(href)
      continue
    }
    if (answer.status !== 200 || (id !== '' && !answer.text.includes(` id="${decodeURIComponent(id)}"`)))
      broken.push(href)
  }
  expect(hrefs.size).toBeGreaterThan(100)
  expect(broken).toEqual([])
})

test.each(pages)(
  '%s loads nothing but our own files, runs nothing in itself, and lets nobody frame it',
  async (path) => {
    const { headers, text } = await get(path, inBrowser)

    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect([headers.get('x-content-type-options'), headers.get('vary')]).toEqual(['nosniff', 'accept, accept-encoding'])
    const asset = (name: string, kind: string) => expect.stringMatching(`^/docs/assets/${name}-[\\w-]+\\.${kind}$`)
    const reference = path === '/docs/reference' ? [['reference', 'reference-styles']] : []
    const [scripts, styles] = [
      Array.from(
        text.matchAll(/<script type="module"(?: blocking="render")? src="([^"]+)"><\/script>/g),
        ([, src]) => src,
      ),
      Array.from(text.matchAll(/<link rel="stylesheet" href="([^"]+)">/g), ([, href]) => href),
    ]
    const expected = [['site', 'site-styles'], ...reference]
    expect(scripts).toEqual(expected.map(([name = '']) => asset(name, 'js')))
    expect(styles).toEqual(expected.map(([, name = '']) => asset(name, 'css')))
    expect([text.match(/<script/g), text.match(/<link/g)].map((found) => found?.length)).toEqual([
      scripts.length,
      styles.length + 3,
    ])
    expect(text).toContain('<link rel="icon" href="data:,">')
    expect(text).not.toMatch(/<style|<img|<iframe|<form|\bsrc="(?!\/docs\/assets\/)|\bstyle=|@import|\bon\w+="/i)
  },
)

test.each(pages)(
  '%s has one heading, a title of its own, and itself as Markdown at an address that it names',
  async (path) => {
    const { text } = await get(path, inBrowser)
    const [, title = ''] = /<title>([^<]+)<\/title>/.exec(text) ?? []
    const [, alternate = ''] = /<link rel="alternate" type="text\/markdown" href="([^"]+)">/.exec(text) ?? []
    const markdown = await get(alternate)

    expect(text.match(/<h1>/g)).toHaveLength(1)
    expect(title).toMatch(/Workspace integration API$/)
    expect(markdown.status).toBe(200)
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(markdown.text).toMatch(/^# .+\n/)
    expect((await get(path, 'text/markdown')).text).toBe(markdown.text)
  },
)

test.each([
  ['/docs', 'Get started', []],
  ['/docs/webhooks', 'Webhooks', ['/docs/webhooks page']],
  ['/docs/errors', 'Reference', ['/docs/errors page']],
  ['/docs/errors/rate_limited', 'Reference', ['/docs/errors true']],
])('the menu of %s has every group, with %s open, and marks the place of the page', async (path, group, marked) => {
  const { text } = await get(path, inBrowser)
  const groups = Array.from(text.matchAll(/<details( open)?>\n<summary>([^<]+)</g), ([, open, title]) => ({
    open,
    title,
  }))
  const current = Array.from(
    text.matchAll(/<a href="([^"]+)" aria-current="(\w+)"/g),
    ([, href, as]) => `${href} ${as}`,
  )

  expect(groups.map(({ title }) => title)).toEqual(readGuides().navigation.map(({ title }) => title))
  expect(groups.filter(({ open }) => open).map(({ title }) => title)).toEqual([group])
  expect(current).toEqual(marked)
})

test.each([
  [undefined, 'text/html'],
  ['*/*', 'text/html'],
  [inBrowser, 'text/html'],
  ['application/json', 'application/json'],
  ['application/json, */*;q=0.1', 'application/json'],
  ['text/html;q=0.4, application/*;q=0.5', 'application/json'],
  ['text/markdown', 'text/markdown'],
])('to Accept %s a page is answered as %s', async (accept, type) => {
  const { headers } = await get('/docs/errors', accept)

  expect(headers.get('content-type')?.split(';')[0]).toBe(type)
})

test('a page that is asked for in another form or of an unknown name is refused', async () => {
  const refusals = [
    await edge.call('GET', '/docs/errors', { headers: { accept: 'image/png' } }),
    await edge.call('GET', '/docs/limits', { headers: { accept: 'application/json' } }),
    await edge.call('GET', '/docs/errors/no_such_code'),
    await edge.call('GET', '/docs/errors/constructor'),
    await edge.call('GET', '/docs/README'),
    await edge.call('GET', '/docs/assets/site.js'),
  ]

  expect(refusals.map(statusAndCode)).toEqual([
    ...Array(2).fill('406 not_acceptable'),
    ...Array(4).fill('404 route_not_found'),
  ])
})

test('each page of the console that names a page of the documentation leads to it, and to its section', async () => {
  const consolePages = join(import.meta.dirname, '../../../console/pages')
  const named = globSync('*/*.tsx', { cwd: consolePages }).flatMap((file) =>
    Array.from(readFileSync(join(consolePages, file), 'utf8').matchAll(/\bguide="([^"]+)"/g), ([, href = '']) => href),
  )

  expect(named.length).toBeGreaterThan(15)
  for (const href of new Set(named)) {
    const [path = '', id = ''] = href.split('#')
    const { status, text } = await get(path, inBrowser)
    expect([href, status, id === '' || text.includes(` id="${id}"`)]).toEqual([href, 200, true])
  }
})
