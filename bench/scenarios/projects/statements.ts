// Checks before the measurement that the peers send the same statements as the service; otherwise nothing is
// comparable.
import { createTexts, listText } from '../../peers/project-rows.ts'
import type { Database } from '../../product/database.ts'
import { actingIn, headersOf } from '../../product/principal.ts'
import type { Deployment } from '../../product/settings.ts'
import { recordStatements, type RecordedStatement, type StatementRecorder } from '../../product/statement-recorder.ts'
import { startService } from '../../product/tiers.ts'

/** Throws with the service's own statements where they have changed. */
export async function assertSameStatements(
  deployment: Deployment,
  seeded: Database,
  workspaceId: string,
  pageItems: number,
): Promise<void> {
  await using database = await seeded.copy()
  await using recorder = await recordStatements(database.url)
  await using service = await startService(deployment, recorder.url)
  const sender = { headers: { 'content-type': 'application/json' }, ...actingIn(workspaceId, deployment) }
  const sentFor = (method: 'GET' | 'POST', below: string, body: string | null) => {
    const path = `/api/v1${below}`
    return statementsOf(recorder, service.url + path, { method, headers: headersOf(sender, method, path), body })
  }
  assertSent('a page', await sentFor('GET', `/projects?limit=${pageItems}`, null), [listText(pageItems)])
  const body = JSON.stringify({ name: 'Statements' })
  assertSent('a new project', await sentFor('POST', '/projects', body), createTexts)
}

async function statementsOf(
  recorder: StatementRecorder,
  url: string,
  init: RequestInit,
): Promise<readonly RecordedStatement[]> {
  recorder.heard()
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${url} answered ${response.status} ${await response.text()}`)
  return recorder.heard()
}

/** In this order. Statements of background work may come before, between and after them. */
function assertSent(what: string, heard: readonly RecordedStatement[], expected: readonly string[]): void {
  const sent = heard.map(({ sql }) => plain(sql))
  const wanted = expected.map(plain)
  let from = 0
  const missing = wanted.filter((sql) => {
    const at = sent.indexOf(sql, from)
    if (at >= 0) from = at + 1
    return at < 0
  })
  if (missing.length === 0) return
  throw new Error(
    `For ${what} the service no longer sends what bench/peers/project-rows.ts sends, but:\n${sent.join('\n')}`,
  )
}

const plain = (sql: string): string =>
  sql
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<=\() | (?=\))/g, '')
    .trim()
