// How much the documentation loads, and how soon it is seen, by a browser that has nothing of it yet: with the network
// as it is here, and with that of a slow telephone. `npm run cold-load` writes bench/results/docs-cold-load.md.
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumBinary } from '../../support/servers/chromium.ts'
import { startSystem } from '../../support/system.ts'

const file = join(import.meta.dirname, '../../../bench/results/docs-cold-load.md')
const rounds = 3
const slow = { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const networks = { 'as it is': null, '1.6 Mbit/s, 150 ms': slow } as const
type Network = keyof typeof networks

type Load = {
  readonly requests: number
  readonly bytes: number
  readonly firstPaintMs: number
  readonly doneMs: number
}
type Visit = { readonly name: string; readonly path: string; readonly act?: (page: Page) => Promise<void> }

const visits: readonly Visit[] = [
  { name: 'docs home', path: '/docs' },
  { name: 'guide (quick start)', path: '/docs/quick-start' },
  { name: 'long guide (receiving webhooks)', path: '/docs/webhooks' },
  {
    name: 'search, first use, beyond the docs home',
    path: '/docs',
    act: async (page) => {
      await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('rotation')
      await page.getByRole('list', { name: 'Found' }).getByRole('link').first().waitFor()
    },
  },
  {
    name: 'reference, until its operations are listed',
    path: '/docs/reference',
    act: async (page) => page.locator('.opblock-tag').first().waitFor(),
  },
]

test('the documentation is loaded by an empty browser', async () => {
  await using system = await startSystem('standalone')
  const browser = await chromium.launch({ executablePath: chromiumBinary() ?? '', args: ['--no-sandbox'] })
  try {
    const rows: string[] = []
    for (const network of Object.keys(networks) as Network[])
      for (const visit of visits) {
        const loads: Load[] = []
        for (let round = 0; round < rounds; round += 1) loads.push(await coldLoad(browser, system.url, visit, network))
        rows.push(rowOf(visit.name, network, loads))
      }
    writeFileSync(file, pageOf(rows))
    expect(rows).toHaveLength(visits.length * 2)
  } finally {
    await browser.close()
  }
})

/** In a context of its own, which has an empty cache. What a search loads is counted apart from the page. */
async function coldLoad(browser: Browser, url: string, visit: Visit, network: Network): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  const counted = await countLoads(cdp)
  const conditions = networks[network]
  if (conditions !== null) await cdp.send('Network.emulateNetworkConditions', { offline: false, ...conditions })
  let startedAt = performance.now()
  await page.goto(url + visit.path, { waitUntil: 'networkidle' })
  const isReference = visit.path.endsWith('/reference')
  let doneMs = await page.evaluate<number>(`performance.getEntriesByType('navigation')[0].loadEventEnd`)
  const firstPaintMs = await page.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`,
  )
  const before = isReference ? { requests: 0, bytes: 0 } : { ...counted }
  if (visit.act !== undefined) {
    if (!isReference) startedAt = performance.now()
    await visit.act(page)
    doneMs = performance.now() - startedAt
  }
  const after = { ...counted }
  await context.close()
  const own = visit.act === undefined ? { requests: 0, bytes: 0 } : before
  return {
    requests: after.requests - own.requests,
    bytes: after.bytes - own.bytes,
    firstPaintMs,
    doneMs,
  }
}

async function countLoads(cdp: CDPSession): Promise<{ requests: number; bytes: number }> {
  const counted = { requests: 0, bytes: 0 }
  await cdp.send('Network.enable')
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    counted.requests += 1
    counted.bytes += encodedDataLength
  })
  return counted
}

function rowOf(name: string, network: Network, loads: readonly Load[]): string {
  const of = (figure: keyof Load) => {
    const values = loads.map((load) => load[figure]).toSorted((a, b) => a - b)
    return values[Math.floor(values.length / 2)] ?? 0
  }
  const cells = [
    of('requests'),
    Math.round(of('bytes') / 1_000),
    Math.round(of('firstPaintMs')),
    Math.round(of('doneMs')),
  ]
  return `| ${[name, network, ...cells].join(' | ')} |`
}

const pageOf = (rows: readonly string[]): string => `# Cold load of the documentation

By \`npm run cold-load\` on ${new Date().toISOString().slice(0, 10)}: headless Chromium with an empty cache, the product in one process on the same machine (${cpus().length} cores, with other work). Medians of ${rounds}. *KB* are bytes that came over the network, compressed, with their heads. *Done* is the load event of a page; of the search, from the first letter to the first result; of the reference, from the start until its operations are listed.

| page | network | requests | KB | first contentful paint, ms | done, ms |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`
