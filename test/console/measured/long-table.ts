// What a table of 5,000 keys costs the browser, drawn as it is seen and drawn as a whole, in turns on one page.
// `npm run long-table` writes bench/results/long-table.md.
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ownerOf, firstOwner } from '../../support/person.ts'
import { manyKeys } from '../support/many-keys.ts'
import { openConsole } from '../support/open-console.ts'

const file = join(import.meta.dirname, '../../../bench/results/long-table.md')
const rounds = 3
const many = 5_000

// A table is drawn as a whole to be printed, and as it is seen again afterwards.
const ways = { 'as it is seen': 'afterprint', 'as a whole': 'beforeprint' } as const
type Way = keyof typeof ways

/** Runs in the page: until the frame after what was done has been painted. */
const timed = (act: string): string => `new Promise((resolve) => {
  const startedAt = performance.now();
  ${act}
  requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - startedAt)))
})`
const acts = {
  'sort by name, ms': timed(
    `[...document.querySelectorAll('th button')].find((each) => each.textContent === 'Name').click()`,
  ),
  'select a key, ms': timed(`document.querySelector('tbody input[type=checkbox]').click()`),
  'scroll by a screen, ms': timed('scrollBy(0, innerHeight)'),
} as const
const elements = 'elements in the page'
type Figures = Readonly<Record<string, number>>

test('a table of 5,000 keys is measured', async () => {
  await using console = await openConsole()
  await firstOwner(console.system)
  const owner = await ownerOf(console.system, 'Acme')
  await manyKeys(console.system, owner.workspaceId, many, (n) => `Key ${n}`)
  const { page } = await console.visit(owner)
  const opened: number[] = []
  const measured: Record<Way, Figures[]> = { 'as it is seen': [], 'as a whole': [] }
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now()
    await page.goto(`${console.system.url}/settings/w/${owner.workspaceId}/keys`)
    await page.getByText('5,000 results').waitFor()
    opened.push(performance.now() - startedAt)
    for (const way of Object.keys(ways) as Way[]) measured[way].push(await measure(page, way))
  }
  writeFileSync(file, pageOf(opened, measured))
  expect(measured['as it is seen']).toHaveLength(rounds)
})

async function measure(page: Page, way: Way): Promise<Figures> {
  await page.evaluate(`dispatchEvent(new Event('${ways[way]}')); scrollTo(0, 0)`)
  const figures: Record<string, number> = {}
  for (const [name, act] of Object.entries(acts)) {
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 200))')
    figures[name] = await page.evaluate<number>(act)
  }
  return { ...figures, [elements]: await page.evaluate<number>(`document.querySelectorAll('*').length`) }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)
}

function pageOf(opened: readonly number[], measured: Record<Way, Figures[]>): string {
  const rows = [...Object.keys(acts), elements].map((name) => {
    const [seen, whole] = (Object.keys(ways) as Way[]).map((way) =>
      median(measured[way].map((each) => each[name] ?? 0)),
    )
    return `| ${name} | ${seen} | ${whole} |`
  })
  return `# A table of 5,000 API keys

By \`npm run long-table\` on ${new Date().toISOString().slice(0, 10)}: headless Chromium and the product in one process on the same machine (${cpus().length} cores, with other work). Medians of ${rounds} rounds, both ways in turns on one page. The console draws tables of more than 200 rows as they are seen; as a whole it draws them to be printed. Times end when the next frame has been painted. The page needs ${median(opened)} ms to load all keys and show the first.

| | ${Object.keys(ways).join(' | ')} |
| --- | --- | --- |
${rows.join('\n')}
`
}
