// The pages that answer without a key: what this is, every error, every scope.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { exampleProblem } from '#contract/faults/help.ts'
import { faultCodes, fieldCodes, pageOfFault, statusOf, titleOf } from '#contract/faults/fault.ts'
import { presetNamed, presetNames } from '#contract/key-preset.ts'
import { scopes } from '#contract/scopes.ts'
import { memoryRateLimiter } from '../../../gateway/rate-limit/limiter.ts'
import { atMost, edgeOfFile, statusAndCode } from '../support/edge.ts'

const { edge } = edgeOfFile({ rateLimiter: memoryRateLimiter(atMost(1)) })

const inBrowser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const fixed = ['/', '/docs', '/docs/errors', '/docs/scopes', '/docs/changelog']
const pages = [...fixed, ...faultCodes.map(pageOfFault)]

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

test('the first page leads to all that needs no key; every link of every page leads somewhere', async () => {
  const hrefs = new Set<string>()
  for (const path of pages) {
    const { text } = await get(path, inBrowser)
    for (const [, href = ''] of text.matchAll(/href="([^"]+)"/g)) hrefs.add(href)
  }

  const { version, links } = await json('/')
  const { text: first } = await get('/', inBrowser)
  const { api: _api, mcp: _mcp, ...linked } = links
  expect(first).toContain(`Version ${version}`)
  for (const href of Object.values(linked)) expect(first).toContain(`href="${String(href)}"`)
  const names = ['description', 'settingsDescription', 'starter', 'errors', 'scopes', 'changelog']
  expect(Object.keys(linked)).toEqual(names)
  for (const href of hrefs) expect([href, (await get(href)).status]).toEqual([href, 200])
})

test.each(pages)('%s asks for nothing else, runs nothing, and lets nobody frame it', async (path) => {
  const { headers, text } = await get(path, inBrowser)

  const [, style = ''] = /<style>([^]*)<\/style>/.exec(text) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  expect([headers.get('x-content-type-options'), headers.get('vary')]).toEqual(['nosniff', 'accept, accept-encoding'])
  expect(text).not.toMatch(/<script|<link|<img|<iframe|<form|\bsrc=|\bstyle=|url\(|@import|\bon\w+="/i)
  for (const [, href = ''] of text.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^\/(?!\/)/)
})

test.each([
  [undefined, 'text/html'],
  ['*/*', 'text/html'],
  [inBrowser, 'text/html'],
  ['application/json', 'application/json'],
  ['application/json, */*;q=0.1', 'application/json'],
  ['text/html;q=0.4, application/*;q=0.5', 'application/json'],
])('to Accept %s a page is answered as %s', async (accept, type) => {
  const { headers } = await get('/docs/errors', accept)

  expect(headers.get('content-type')?.split(';')[0]).toBe(type)
})

test('a page that is asked for in another form or of an unknown code is refused', async () => {
  const refusals = [
    await edge.call('GET', '/docs/errors', { headers: { accept: 'image/png' } }),
    await edge.call('GET', '/docs/errors/no_such_code'),
    await edge.call('GET', '/docs/errors/constructor'),
  ]

  expect(refusals.map(statusAndCode)).toEqual(['406 not_acceptable', ...Array(2).fill('404 route_not_found')])
})
