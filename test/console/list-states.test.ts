// Each list of the console in each of its states: still loading, failed, forbidden, empty, and nothing that fits the
// filter. What the service does not do when it is asked to, the browser is told in its place.
import type { Route } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { memberOf } from '../support/person.ts'
import { lookAt } from './support/look-at.ts'
import { consoleStory } from './support/open-console.ts'

type List = {
  readonly path: string
  /** Of the settings API, below the workspace. */
  readonly asks: string
  readonly empty: string
  /** Leaves nothing. */
  readonly filter: string
  /** What shows that the filter is set. */
  readonly control: string
  /** Whether a stream tells it what is new. */
  readonly isLive: boolean
}
const lists: readonly List[] = [
  ['/keys', '/api-keys', 'No keys yet', 'status=expired', 'Status'],
  ['/webhooks', '/webhooks', 'No webhooks yet', 'status=disabled', 'Status'],
  ['/deliveries', '/deliveries', 'No deliveries yet', 'status=cancelled', 'Status'],
  ['/events', '/events/search', 'No events yet', 'kind=documents.deleted', 'Event type'],
  ['/audit', '/audit-entries', 'No audit entries yet', 'outcome=failed', 'Outcome'],
  ['/requests', '/requests', 'No requests yet', 'status=5xx', 'Status'],
  ['/members', '/members', 'No other members', 'role=viewer', 'Role'],
].map(([path = '', asks = '', empty = '', filter = '', control = '']) => ({
  path,
  asks,
  empty,
  filter,
  control,
  isLive: ['/deliveries', '/events'].includes(path),
}))

const problem = (status: number, code: string, detail: string) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ status, code, detail, title: 'Told in its place', requestId: 'request-to-quote' }),
})

consoleStory('the states of each list', 'Acme', ({ system, owner, page, visit, at, call }) => {
  beforeAll(() => call('POST', '/api-keys', { name: 'CRM import', preset: 'read-only' }))

  const asked = ({ asks }: List) => new RegExp(`/settings/api/workspaces/[^/]+${asks}(\\?|$)`)
  const answering = (list: List, answer: (route: Route) => unknown) => page.route(asked(list), answer as never)
  const nothingYet = { data: [], page: { nextCursor: null, hasMore: false }, lastSequence: 0, hasMore: false }

  test.each(lists)('$path: loading, failed with an id to quote, tried again, empty, and forbidden', async (list) => {
    const { promise: asking, resolve: answer } = Promise.withResolvers<void>()
    const needed = 'The request requires the scope of an owner or admin.'
    await answering(list, async (route) => {
      await asking
      const isAskedAgain = await page.evaluate('window.isAskedAgain === true')
      await route.fulfill(isAskedAgain ? { json: nothingYet } : problem(429, 'rate_limited', 'Too many calls.'))
    })
    await page.goto(at(list.path))
    await page.evaluate(`addEventListener('click', () => (window.isAskedAgain = true), { capture: true })`)
    await page.locator('table[aria-busy=true]').waitFor()
    // Once its stream has opened a list is asked for anew.
    if (list.isLive) await page.getByText('Live', { exact: true }).waitFor()
    answer()
    const notice = page.getByRole('alert')
    await notice.getByText('Too many calls.').waitFor()
    await notice.getByText('request-to-quote').waitFor()
    await page.getByRole('table').waitFor({ state: 'detached' })

    await notice.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: list.empty }).waitFor()
    expect(await lookAt(page, `empty-${list.path.slice(1)}`)).toEqual([])

    await page.unroute(asked(list))
    await answering(list, (route) => route.fulfill(problem(403, 'insufficient_scope', needed)))
    await page.reload()
    await page.getByRole('heading', { name: 'You do not have access' }).waitFor()
    await page.getByText(needed).waitFor()
    await page.unroute(asked(list))
  })

  test.each(lists)(
    '$path: a filter that nothing fits is kept by reload and by back, until it is cleared',
    async (list) => {
      await page.goto(at(`${list.path}?${list.filter}`))
      const nothing = page.getByRole('heading', { name: 'No results' })
      await nothing.waitFor()
      await page.reload()
      await nothing.waitFor()
      await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click()
      await page.getByRole('heading', { level: 1, name: 'Overview', exact: true }).waitFor()
      await page.goBack()
      await nothing.waitFor()
      expect(await page.getByLabel(list.control, { exact: true }).inputValue()).toBe(list.filter.split('=')[1])

      await page.getByRole('button', { name: 'Clear filters' }).click()
      await nothing.waitFor({ state: 'detached' })
      expect(new URL(page.url()).search).toBe('')
    },
  )

  test('a call that gets no answer is made again by itself, and said to have failed when that does not help', async () => {
    let calls = 0
    await answering(lists[0] as List, (route) => {
      calls += 1
      return route.abort()
    })
    await page.goto(at('/keys'))
    await page.getByRole('alert').getByText('No response').waitFor()

    expect(calls).toBe(3)
  })

  test('a viewer sees who may read the audit log, and is offered nothing in vain', async () => {
    const theirs = await visit(await memberOf(system, owner.workspaceId, 'viewer'))
    await theirs.goto(at('/audit'))
    await theirs.getByRole('heading', { name: 'You do not have access' }).waitFor()
    for (const path of ['/keys', '/webhooks', '/deliveries']) {
      await theirs.goto(at(path))
      await theirs.getByRole('heading', { level: 2 }).first().waitFor()
      expect(await theirs.getByRole('link', { name: /^(Create key|Create webhook)$/ }).count()).toBe(0)
      expect(await theirs.getByRole('button', { name: /^Resend/ }).count()).toBe(0)
    }
  })
})
