// Integrations that keep a copy: by the list sorted by its changes, and by the feed. Both read while writers change
// objects through every gateway, and in the end have seen everything, and nothing twice.
import { randomUUID } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { logger } from '#runtime/log.ts'
import { startTiers } from '../../standalone/tiers.ts'
import { clientOf, type Answer } from '../support/client.ts'
import { describeMode, must, sharedSystem, type Tenant } from '../support/system.ts'

type Api = (method: string, path: string, body?: object) => Promise<Answer>
type Body = Answer['body']
/** `<id>@<version>` of a change that was answered with success, and the moment it was given. */
type Changes = Map<string, string | null>

const changesInAll = 600
const writers = 6
const pageSize = 40
/** A reader that has caught up leaves the machine to the writers for so long. */
const restMs = 10
const seed = 42
type Own = { id: string; version: number }
const nameOf = ({ id, version }: Own): string => `${id}@${version}`

const apiAt = (url: string, { secret }: Tenant): Api => {
  const { call } = clientOf(url, '')
  return (method, path, body) => call(method, `/api/v1${path}`, body, { authorization: `Bearer ${secret}` })
}

/** One after the other: singly or many at once, on objects of its own and on one that all writers change. */
async function write(
  api: Api,
  shared: string,
  steps: readonly number[],
  { changes, limit }: { changes: Changes; limit: number },
): Promise<void> {
  const own: Own[] = []
  for (const [n, step] of steps.entries()) {
    if (changes.size >= limit) return
    const mine = own[step % (own.length + 1)]
    if (step % 11 === 0) await change(api, shared, n, changes)
    else if (step % 3 === 0) own.push(...(await makeMany(api, 1 + (step % 12), changes)))
    else if (mine === undefined)
      own.push(recordChange(must(await api('POST', '/projects', { name: `Step ${n}` })), changes))
    else if (step % 5 === 0) own.splice(own.indexOf(mine), 1, ...(await remove(api, mine, step % 2 === 0, changes)))
    else mine.version = (await change(api, mine.id, n, changes)).version
  }
}

function recordChange({ id, version, updatedAt }: Body, changes: Changes): Own {
  changes.set(nameOf({ id, version }), updatedAt)
  return { id, version }
}

const change = async (api: Api, id: string, n: number, changes: Changes): Promise<Own> =>
  recordChange(must(await api('PATCH', `/projects/${id}`, { description: `Step ${n}, ${randomUUID()}` })), changes)

async function makeMany(api: Api, count: number, changes: Changes): Promise<Own[]> {
  const items = Array.from({ length: count }, (_, n) => ({ action: 'create', data: { name: `Batch ${n}` } }))
  const { results } = must(await api('POST', '/projects/batch', { items }))
  return results.map(({ data }: Body) => recordChange(data, changes))
}

async function remove(api: Api, { id, version }: Own, takesBack: boolean, changes: Changes): Promise<Own[]> {
  must(await api('DELETE', `/projects/${id}`))
  changes.set(nameOf({ id, version: version + 1 }), null)
  return takesBack ? [recordChange(must(await api('POST', `/projects/${id}/restore`)), changes)] : []
}

/** Reads on until the writers are done and there is no more. `next` gives what follows, and whether that was all. */
async function follow(next: () => Promise<{ page: Body[]; isAll: boolean }>, isDone: () => boolean): Promise<Body[]> {
  const seen: Body[] = []
  for (;;) {
    const done = isDone()
    const { page, isAll } = await next()
    seen.push(...page)
    if (done && page.length === 0 && isAll) return seen
    if (page.length < pageSize) await after(restMs)
  }
}

/** Asks for what was changed after the last change that it saw. */
function followList(api: Api, isDone: () => boolean): Promise<Body[]> {
  let last = new Date(0).toISOString()
  return follow(async () => {
    const query = `sort=updatedAt&updatedAfter=${last}&includeDeleted=true&limit=${pageSize}`
    const { data: page } = must(await api('GET', `/projects?${query}`))
    last = page.length === 0 ? last : (page.at(-1).updatedAt ?? page.at(-1).deletedAt)
    return { page, isAll: true }
  }, isDone)
}

function followFeed(api: Api, isDone: () => boolean): Promise<Body[]> {
  let from = 0
  return follow(async () => {
    const answer = await api('GET', `/events?eventTypes=projects.*&after=${from}&limit=${pageSize}`)
    const { data: page, lastSequence, hasMore } = must(answer)
    from = lastSequence
    return { page, isAll: hasMore === false }
  }, isDone)
}

describeMode('copies', 'distributed', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  test('a reader of the list or the feed misses no change and sees none twice while others write', async () => {
    // Two gateways with a service each.
    const second = await startTiers(system.settings, system.db, logger('fatal', 'second'))
    onTestFinished(second.close)
    const at = (n: number) => apiAt(n % 2 === 0 ? system.url : second.url, tenant)
    const shared = must(await tenant.api('POST', '/api/v1/projects', { name: 'Shared' }))
    const changes: Changes = new Map([[nameOf(shared), shared.updatedAt]])
    const drawn = fc.array(fc.nat(10_000), { minLength: 1_000, maxLength: 1_000 })
    const steps = fc.sample(drawn, { seed, numRuns: writers })

    let done = false
    const until = { changes, limit: changesInAll }
    const writing = steps.map((own, n) => write(at(n), shared.id, own, until))
    const written = Promise.all(writing).finally(() => (done = true))
    const readers = [followList(at(0), () => done), followList(at(1), () => done)]
    const feeds = [followFeed(at(0), () => done), followFeed(at(1), () => done)]
    await written

    expect(changes.size).toBeGreaterThanOrEqual(changesInAll)
    const actual = await allOf(at(0))
    for (const seen of await Promise.all(readers)) {
      expect(new Set(seen.map(nameOf)).size).toBe(seen.length)
      expect(seen.filter((each) => !changes.has(nameOf(each)))).toEqual([])
      const copy = new Map(seen.map((each) => [each.id, each]))
      expect([...copy.values()].toSorted(byId)).toEqual(actual)
    }
    for (const events of await Promise.all(feeds)) {
      const occurredAt = events.map((event) => event.occurredAt)
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_event, n) => events[0].sequence + n))
      expect(events.map(({ resource }) => nameOf(resource)).toSorted()).toEqual([...changes.keys()].toSorted())
      expect(occurredAt).toEqual([...new Set<string>(occurredAt)].toSorted())
    }
    const times = [...changes.values()].filter((moment) => moment !== null)
    expect(new Set(times).size).toBe(times.length)
  }, 120_000)

  test('updatedAt rises with every change, also while the clock is behind', async () => {
    const fresh = await system.tenant()
    const api = apiAt(system.url, fresh)
    const lastAt = new Date(Date.now() + 3_600_000)
    await system.db.eventSequence.update({ where: { workspaceId: fresh.workspaceId }, data: { lastAt } })

    const items = ['a', 'b'].map((name) => ({ action: 'create', data: { name } }))
    const first = must(await api('POST', '/projects', { name: 'First' }))
    const { results } = must(await api('POST', '/projects/batch', { items }))
    const last = must(await api('PATCH', `/projects/${first.id}`, { name: 'Last' }))

    const changed = [first, ...results.map(({ data }: Body) => data), last]
    const times = changed.map(({ updatedAt }) => Date.parse(updatedAt))
    expect(times.map((time) => time - lastAt.getTime())).toEqual([1, 2, 3, 4])
  })
})

async function allOf(api: Api, cursor = ''): Promise<Body[]> {
  const { data, page } = must(await api('GET', `/projects?includeDeleted=true&limit=200${cursor}`))
  const rest = page.nextCursor === null ? [] : await allOf(api, `&cursor=${page.nextCursor}`)
  return [...data, ...rest].toSorted(byId)
}

const byId = (a: Body, b: Body): number => (a.id < b.id ? -1 : 1)
