// The peers are worth comparing with as long as they send what the service sends: seen once, before anything is measured.
import { createTexts, listText } from '../../peers/project-rows.ts'
import type { Database } from '../../product/database.ts'
import { actingIn, headersOf } from '../../product/principal.ts'
import type { Deployment } from '../../product/settings.ts'
import { tapOf, type Heard, type Tap } from '../../product/tap.ts'
import { startService } from '../../product/tiers.ts'

/** Throws with the service's own statements where they have changed. */
export async function assertSameStatements(
  deployment: Deployment,
  seeded: Database,
  workspaceId: string,
  pageItems: number,
): Promise<void> {
  await using database = await seeded.copy()
  await using tap = await tapOf(database.url)
  await using service = await startService(deployment, tap.url)
  const sender = { headers: { 'content-type': 'application/json' }, ...actingIn(workspaceId, deployment) }
  const sentFor = (method: 'GET' | 'POST', below: string, body: string | null) => {
    const path = `/api/v1${below}`
    return statementsOf(tap, service.url + path, { method, headers: headersOf(sender, method, path), body })
  }
  assertSent('a page', await sentFor('GET', `/projects?limit=${pageItems}`, null), [listText(pageItems)])
  const body = JSON.stringify({ name: 'Statements' })
  assertSent('a new project', await sentFor('POST', '/projects', body), createTexts)
}

async function statementsOf(tap: Tap, url: string, init: RequestInit): Promise<readonly Heard[]> {
  tap.heard()
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${url} answered ${response.status} ${await response.text()}`)
  return tap.heard()
}

/** In this order. Around and between may be what the service does at its leisure. */
function assertSent(what: string, heard: readonly Heard[], expected: readonly string[]): void {
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
