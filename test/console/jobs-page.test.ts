// Jobs as a person who is signed in sees them.
import { gunzipSync } from 'node:zlib'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { must } from '../support/system.ts'
import { lookAt } from './support/look-at.ts'
import { consoleStory } from './support/open-console.ts'
import { keepRunning } from './support/running-job.ts'

consoleStory('jobs in the console', 'Acme', ({ system, page, at, call, button }) => {
  const start = async (body: object) => {
    const scopes = ['jobs:write', 'projects:write', 'projects:delete']
    const { secret } = await call('POST', '/api-keys', { name: 'Nightly sync', scopes })
    return must(await system.call('POST', '/api/v1/jobs', body, { authorization: `Bearer ${secret}` }))
  }

  test('a job is seen to end, and its result is downloaded', async () => {
    await page.goto(at('/jobs'))
    await page.getByText('No jobs yet').waitFor()
    expect(await lookAt(page, 'jobs-empty')).toEqual([])
    await start({ kind: 'export' })
    await page.reload()

    const row = page.getByRole('row', { name: /^Export/ })
    await row.getByText('Completed').waitFor()
    await row.getByText('0 of 0').waitFor()
    expect(await lookAt(page, 'jobs')).toEqual([])
    const downloading = page.waitForEvent('download')
    await row.getByRole('link', { name: /^Result, \d+ B$/ }).click()
    const file = await (await downloading).path()
    expect(gunzipSync(await readFile(file)).toString()).toContain('"object":"export_end"')
  })

  test('a job that has not ended is cancelled, once that is confirmed', async () => {
    const { id } = await start({ kind: 'delete', resource: 'projects', filter: { q: 'nothing' }, confirmedTotal: 0 })
    await keepRunning(system, id)
    await page.goto(at('/jobs'))
    const row = page.getByRole('row', { name: /^Deletion/ })
    await row.getByRole('progressbar').waitFor()
    expect(await lookAt(page, 'jobs-running')).toEqual([])
    await row.getByRole('button', { name: 'Cancel…' }).click()
    await button('Cancel job').click()
    await row.getByText('Cancelled').waitFor()
    expect(await row.getByRole('button').count()).toBe(0)
  })
})
