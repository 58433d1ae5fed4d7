// The rows of the scenario: one reader, and the writers beside it.
import { setTimeout as after } from 'node:timers/promises'
import { beginProgram } from '../../measure/program.ts'
import type { Row } from '../../measure/rounds.ts'
import type { Database } from '../../product/database.ts'
import { actingIn, headersOf, type Sender } from '../../product/principal.ts'
import type { Deployment } from '../../product/settings.ts'
import { startService } from '../../product/tiers.ts'
import type { Plan as Writes, Result as Written } from '../../programs/steady-writes.ts'
import { quantile } from '../../report/figures.ts'
import type { Sample } from '../../report/table.ts'
import { assertAllSeen, follow, type Followed } from './follow-reader.ts'
import type { Ask, Reader } from './readers.ts'

export type Setting = {
  readonly deployment: Deployment
  readonly seeded: Database
  readonly workspaceId: string
  readonly projectId: string
  readonly perSecond: number
  readonly seconds: number
}

export const scopes = ['projects:write', 'tasks:write', 'tasks:delete', 'events:read'] as const
const followWithinMs = 10 * 60_000
const writesEndWithinMs = 30_000
/** Of those that are there at the beginning. */
const changedMax = 5_000

export const following = (reader: Reader, setting: Setting): Row => ({
  name: reader.name,
  measure: async () => {
    const { deployment, seeded, workspaceId, seconds } = setting
    await using database = await seeded.copy()
    await using one = await startService(deployment, database.url)
    await using other = await startService(deployment, database.url)
    const urls = [one.url, other.url]
    const sender = actingIn(workspaceId, deployment, { scopes })
    await using writes = await startWrites(database, urls, sender, setting)
    const startedAt = performance.now()
    const [caughtUp, quiet] = [Promise.withResolvers<void>(), new AbortController()]
    const written = caughtUp.promise
      .then(() => after(seconds * 1_000))
      .then(() => writes.ended(writesEndWithinMs))
      .then(({ created, changed, deleted }) => (created + changed + deleted) / secondsSince(startedAt))
      .finally(() => quiet.abort())
    const reading = follow({
      readOn: reader.begin(asker(urls, sender)),
      everyVersion: reader.everyVersion,
      onCaughtUp: caughtUp.resolve,
      quiet: quiet.signal,
      withinMs: followWithinMs,
    })
    const [followed, writesPerSecond] = await Promise.all([reading, written])
    assertAllSeen(await lastVersions(database, workspaceId), followed.seen)
    return { ...figures(followed), written: writesPerSecond }
  },
})

async function startWrites(
  database: Database,
  urls: readonly string[],
  sender: Sender,
  { workspaceId, projectId, perSecond }: Setting,
) {
  const taskIds = await database.session((query) =>
    query<{ id: string }>('SELECT id FROM task WHERE workspace_id = $1 ORDER BY id LIMIT $2', [
      workspaceId,
      changedMax,
    ]),
  )
  const plan: Writes = {
    urls,
    sender,
    projectId,
    taskIds: taskIds.map(({ id }) => id),
    perSecond,
    seconds: followWithinMs / 1_000,
  }
  return beginProgram<Written>('steady-writes', 'load', plan)
}

/** Each request goes to the other service, as behind a gateway. */
function asker(urls: readonly string[], sender: Sender): Ask {
  let turn = 0
  return async <T>(below: string) => {
    const path = `/api/v1${below}`
    const response = await fetch(`${urls[turn++ % urls.length]}${path}`, { headers: headersOf(sender, 'GET', path) })
    if (!response.ok) throw new Error(`GET ${path} answered ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
}

async function lastVersions(database: Database, workspaceId: string): Promise<Map<string, number>> {
  const rows = await database.session((query) =>
    query<{ id: string; version: number }>('SELECT id, version FROM task WHERE workspace_id = $1', [workspaceId]),
  )
  return new Map(rows.map(({ id, version }) => [id, version]))
}

const figures = ({ caughtUp, lagsMs }: Followed): Sample => ({
  perSecond: caughtUp.changes / caughtUp.seconds,
  pages: caughtUp.pages,
  seconds: caughtUp.seconds,
  lag50: quantile(lagsMs, 0.5),
  lag99: quantile(lagsMs, 0.99),
  live: lagsMs.length,
})

const secondsSince = (at: number): number => (performance.now() - at) / 1_000
