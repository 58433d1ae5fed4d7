// What a page costs a browser that has nothing of it yet: printed for people, asserted nowhere, since it is the
// machine's as much as the page's.
import type { Page } from 'playwright-core'

/** Before the page is opened. */
export const watchLongTasks = `
  globalThis.longTasks = []
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration))))
    .observe({ type: 'longtask', buffered: true })
`

type Spent = {
  readonly paintMs: number
  readonly bytes: number
  readonly files: number
  readonly longTasksMs: number[]
}

/** Once it is drawn: `first paint 84 ms, 131 kB in 6 files, long tasks 0 (0 ms)` */
export async function budgetText(page: Page): Promise<string> {
  const { paintMs, bytes, files, longTasksMs }: Spent = await page.evaluate(`(async () => {
    // Told a while after it was drawn.
    await new Promise((told) => {
      new PerformanceObserver(told).observe({ type: 'paint', buffered: true })
      setTimeout(told, 2_000)
    })
    const files = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    return {
      paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      bytes: files.reduce((sum, { transferSize }) => sum + transferSize, 0),
      files: files.length,
      longTasksMs: globalThis.longTasks ?? [],
    }
  })()`)
  const blocked = longTasksMs.reduce((sum, ms) => sum + ms, 0)
  return `first paint ${Math.round(paintMs)} ms, ${Math.ceil(bytes / 1_000)} kB in ${files} files, long tasks ${longTasksMs.length} (${blocked} ms)`
}
