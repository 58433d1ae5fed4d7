// The pictures on the README's first screen: the page of a key and the deliveries, each in both themes.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { firstOwner } from '../../support/person.ts'
import { startReceiver } from '../../support/receiver.ts'
import { must } from '../../support/system.ts'
import { useForAMonth } from '../support/month-of-use.ts'
import { openConsole } from '../support/open-console.ts'

const folder = join(import.meta.dirname, '../../../docs/pictures')
const size = { width: 1_200, height: 750 }

test('the pictures of the README', async () => {
  await using console = await openConsole({ retrySchedule: [1, 3_600, 3_600, 3_600] })
  await using sound = await startReceiver([200])
  await using broken = await startReceiver(({ body }, number) =>
    body.includes('domain') || number % 4 === 0 ? 503 : 200,
  )
  const owner = await firstOwner(console.system, { workspaceName: 'Acme' })
  const at = `/workspaces/${owner.workspaceId}`
  const call = async (method: string, path: string, body?: unknown) => must(await owner.call(method, at + path, body))
  const { id: keyId } = await call('POST', '/api-keys', {
    name: 'Nightly export',
    description: 'Copies projects and tasks to the data warehouse.',
    preset: 'read-only',
    ipAllowlist: ['192.0.2.0/24'],
    rotationPolicy: { maxAgeDays: 90 },
  })
  await useForAMonth(console.system.db, keyId, owner.workspaceId, 90)
  const key = await call('POST', '/api-keys', { name: 'CRM import', preset: 'sync' })
  for (const [name, url] of [
    ['Billing', sound.url],
    ['Team chat', broken.url],
  ])
    await call('POST', '/webhooks', { name, url, eventTypes: ['projects.*', 'tasks.*'] })
  const api = (path: string, body: object) =>
    console.system.call('POST', `/api/v1${path}`, body, { authorization: `Bearer ${key.secret}` })
  const { id: projectId } = must(await api('/projects', { name: 'Website' }))
  for (const title of ['Write the texts', 'Choose the pictures', 'Ask for prices', 'Move the domain', 'Tell the press'])
    must(await api('/tasks', { title, projectId }))
  await sound.count(6)
  await broken.count(6)

  const { page } = await console.visit(owner)
  await page.setViewportSize(size)
  mkdirSync(folder, { recursive: true })
  await page.goto(`/settings/w/${owner.workspaceId}/deliveries`)
  await page.getByRole('cell', { name: 'Retrying' }).first().waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  await photograph(page, 'deliveries')
  await page.goto(`/settings/w/${owner.workspaceId}/keys/${keyId}`)
  await page.getByRole('figure', { name: 'Requests by day' }).waitFor()
  await page.evaluate(`scrollTo(0, document.querySelector('section[aria-label="Usage"]').offsetTop)`)
  await photograph(page, 'key')
})

async function photograph(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) })
  }
}
