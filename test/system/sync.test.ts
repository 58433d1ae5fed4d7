// Integrations that keep a copy: by the list sorted by its changes, and by the feed. Both read while writers change
// objects through every gateway, and in the end have seen everything, and nothing twice.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { logger } from '#runtime/log.ts'
import { startTiers } from '../../standalone/tiers.ts'
import { clientOf, type Answer } from '../support/client.ts'
import { modes, must, startSystem, type Mode, type System, type Tenant } from '../support/system.ts'

type Api = (method: string, path: string, body?: object) => Promise<Answer>
type Body = Answer['body']
/** `<id>@<version>` of a change that was answered with success, and the moment it was given. */
type Changes = Map<string, string | null>

const changesInAll: Record<Mode, number> = { standalone: 400, distributed: 2_000 }
const writers = 6
const seed = 42
const nameOf = ({ id, version }: { id: string; version: number }): string => `${id}@${version}`

/** Two gateways with a service each, where there can be two. */
async function gatewaysOf(system: System, mode: Mode): Promise<AsyncDisposable & { urls: string[] }> {
  if (mode === 'standalone') return { urls: [system.url], [Symbol.asyncDispose]: async () => {} }
  const second = await startTiers(system.settings, system.db, logger('fatal', 'second'))
  return { urls: [system.url, second.url], [Symbol.asyncDispose]: second.close }
}

const apiAt = (url: string, { secret }: Tenant): Api => {
  const { call } = clientOf(url, '')
  return (method, path, body) => call(method, `/api/v1${path}`, body, { authorization: `Bearer ${secret}` })
}

/** One after the other: singly or many at once, on objects of its own and on one that all writers change. */
async function write(
  api: Api,
  shared: string,
  steps: readonly number[],
  changes: Changes,
  limit: number,
): Promise<void> {
  const own: { id: string; version: number }[] = []
  const note = (made: Body): Body => {
    changes.set(nameOf(made), made.updatedAt)
    return made
  }
  const change = async (id: string, body: object) => note(must(await api('PATCH', `/projects/${id}`, body)))
  for (const [n, step] of steps.entries()) {
    if (changes.size >= limit) return
    const mine = own[step % (own.length + 1)]
    if (step % 11 === 0) await change(shared, { description: `Step ${n} of ${step}, ${Math.random()}` })
    else if (step % 3 === 0) {
      const items = Array.from({ length: 1 + (step % 12) }, (_, m) => ({
        action: 'create',
        data: { name: `Batch ${m}` },
      }))
      const { results } = must(await api('POST', '/projects/batch', { items }))
      for (const { data } of results) own.push(note(data))
    } else if (mine === undefined) own.push(note(must(await api('POST', '/projects', { name: `Step ${n}` }))))
    else if (step % 5 === 0) {
      must(await api('DELETE', `/projects/${mine.id}`))
      changes.set(nameOf({ ...mine, version: mine.version + 1 }), null)
      mine.version =
        step % 2 === 0
          ? (await note(must(await api('POST', `/projects/${mine.id}/restore`)))).version
          : mine.version + 1
      if (step % 2 === 1) own.splice(own.indexOf(mine), 1)
    } else mine.version = (await change(mine.id, { name: `Step ${n}`, description: `${step}` })).version
  }
}

/** Asks for what was changed after the last change that it saw, until the writers are done and there is no more. */
async function followList(api: Api, isDone: () => boolean): Promise<Body[]> {
  const seen: Body[] = []
  let last = new Date(0).toISOString()
  for (;;) {
    const done = isDone()
    const query = `sort=updatedAt&updatedAfter=${last}&includeDeleted=true&limit=40`
    const { data } = must(await api('GET', `/projects?${query}`))
    seen.push(...data)
    last = data.length === 0 ? last : (data.at(-1).updatedAt ?? data.at(-1).deletedAt)
    if (done && data.length === 0) return seen
  }
}

async function followFeed(api: Api, isDone: () => boolean): Promise<Body[]> {
  const seen: Body[] = []
  let after = 0
  for (;;) {
    const done = isDone()
    const { data, lastSequence, hasMore } = must(await api('GET', `/events?types=projects.*&after=${after}&limit=40`))
    seen.push(...data)
    after = lastSequence
    if (done && data.length === 0 && hasMore === false) return seen
  }
}

describe.each(modes)('copies, %s', (mode) => {
  test('whoever follows the list or the feed misses no change and sees none twice, whoever writes meanwhile', async () => {
    await using system = await startSystem(mode)
    await using gateways = await gatewaysOf(system, mode)
    const tenant = await system.tenant()
    const at = (n: number) => apiAt(gateways.urls[n % gateways.urls.length] ?? '', tenant)
    const shared = must(await tenant.api('POST', '/api/v1/projects', { name: 'Shared' }))
    const changes: Changes = new Map([[nameOf(shared), shared.updatedAt]])
    const steps = fc.sample(fc.array(fc.nat(10_000), { minLength: 3_000, maxLength: 3_000 }), {
      seed,
      numRuns: writers,
    })

    let done = false
    const written = Promise.all(
      steps.map((own, n) => write(at(n), shared.id, own, changes, changesInAll[mode])),
    ).finally(() => (done = true))
    const readers = [followList(at(0), () => done), followList(at(1), () => done)]
    const feeds = [followFeed(at(0), () => done), followFeed(at(1), () => done)]
    await written

    expect(changes.size).toBeGreaterThanOrEqual(changesInAll[mode])
    const actual = await allOf(at(0))
    for (const seen of await Promise.all(readers)) {
      expect(new Set(seen.map(nameOf)).size).toBe(seen.length)
      expect(seen.filter((each) => !changes.has(nameOf(each)))).toEqual([])
      const copy = new Map(seen.map((each) => [each.id, each]))
      expect([...copy.values()].toSorted(byId)).toEqual(actual)
    }
    for (const events of await Promise.all(feeds)) {
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_event, n) => events[0].sequence + n))
      expect(events.map(({ resource }) => nameOf(resource)).toSorted(byText)).toEqual(
        [...changes.keys()].toSorted(byText),
      )
      expect(events.map(({ occurredAt }) => occurredAt)).toEqual(
        [...new Set(events.map(({ occurredAt }) => occurredAt))].toSorted(byText),
      )
    }
    const times = [...changes.values()].filter((moment) => moment !== null)
    expect(new Set(times).size).toBe(times.length)
  }, 120_000)
})

async function allOf(api: Api): Promise<Body[]> {
  const all: Body[] = []
  let cursor = ''
  do {
    const { data, page } = must(await api('GET', `/projects?includeDeleted=true&limit=200${cursor}`))
    all.push(...data)
    cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`
  } while (cursor !== '')
  return all.toSorted(byId)
}

const byText = (a: string, b: string): number => (a < b ? -1 : 1)
const byId = (a: Body, b: Body): number => byText(a.id, b.id)
