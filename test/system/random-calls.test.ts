// Random sequences of calls on projects, tasks and CRM entities, against a model that predicts each answer. Each step
// says what it sends, what must come back, and what is so afterwards. In the end lists, counts and the feed must agree
// with the model; at any moment copies that are kept as docs/guides/keeping-a-copy.md says, with a full read.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeModes, must, sharedSystem, type Answer, type Mode, type Tenant } from '../support/system.ts'
import { assertAgree, copiesOf, type Copy } from './copies.ts'

type Body = Answer['body']

const kinds = ['projects', 'tasks', 'crm-entities'] as const
type Kind = (typeof kinds)[number]

type Thing = {
  readonly kind: Kind
  readonly id: string
  readonly externalId: string | null
  /** Of a task; the others have none. */
  project: Thing | null
  version: number
  name: string
  /** A company has none. */
  status: string | null
  deleted: boolean
  archived: boolean
  mergedInto: Thing | null
  /** How many numbers a project has given to tasks. */
  numbers: number
}
type Model = { readonly things: Thing[]; readonly events: string[]; readonly copies: readonly Copy[] }

type Start = Pick<Thing, 'kind' | 'id' | 'name' | 'status'> & Partial<Pick<Thing, 'externalId' | 'project'>>

function add(model: Model, start: Start): void {
  const fresh = { version: 1, deleted: false, archived: false, mergedInto: null, numbers: 0 }
  const thing: Thing = { externalId: null, project: null, ...fresh, ...start }
  if (thing.project !== null) thing.project.numbers += 1
  model.things.push(thing)
  tell(model, thing, 'created')
}

function bump(model: Model, thing: Thing, change: Partial<Thing>, event: string): void {
  Object.assign(thing, change, { version: thing.version + 1 })
  tell(model, thing, event)
}

const tell = ({ events }: Model, { kind, id, version }: Thing, event: string): void =>
  void events.push(`${kind}.${event} ${id}@${version}`)

const isHidden = ({ project }: Thing): boolean => project?.deleted === true
const isLive = (thing: Thing): boolean => !thing.deleted && !isHidden(thing)
const ofKind = ({ things }: Model, kind: Kind): Thing[] => things.filter((thing) => thing.kind === kind)

/** Any of them, as long as there is one. */
function pick(model: Model, kind: Kind, n: number): Thing | undefined {
  const candidates = ofKind(model, kind)
  return candidates[n % candidates.length]
}

const open = {
  projects: ['planned', 'active', 'paused'],
  tasks: ['backlog', 'todo', 'in_progress', 'blocked'],
  'crm-entities': ['new', 'qualified', 'proposal', 'negotiation'],
} as const
const ended = {
  projects: ['completed', 'cancelled'],
  tasks: ['done', 'cancelled'],
  'crm-entities': ['won', 'lost'],
} as const

const statusesOf = (kind: Kind): readonly string[] => [...open[kind], ...ended[kind]]

function canMove(kind: Kind, from: string | null, to: string): boolean {
  const isEnded = (ended[kind] as readonly (string | null)[]).includes(from)
  if (from === to || !isEnded) return true
  return kind === 'projects' ? to === 'active' : (open[kind] as readonly string[]).includes(to)
}

type Plan = {
  readonly method: string
  readonly path: string
  readonly body?: object | undefined
  /** Status and, of a refusal, its code. */
  readonly answer: string
  /** After a success. Gives what the answer must be of. */
  readonly after: (body: Body) => Thing | undefined
}
/** Null where there is nothing to act on yet. */
type Planner = (model: Model) => Plan | null
type Command = fc.AsyncCommand<Model, Tenant>

const titled = (kind: Kind): string => (kind === 'tasks' ? 'title' : 'name')
const stated = (kind: Kind): string => (kind === 'crm-entities' ? 'stage' : 'status')
const nothing = (): undefined => undefined
const refusal = (method: string, path: string, answer: string, body?: object): Plan => {
  return { method, path, answer, body, after: nothing }
}

/** What stops any change of a task. */
const stopped = ({ kind, project }: Thing): string | null =>
  kind === 'tasks' && project?.archived === true ? '409 project_archived' : null
const closed = (project: Thing): string | null =>
  project.deleted ? '422 reference_not_found' : project.archived ? '409 project_archived' : null

/** Told by its draws, which are the same whenever a failed run is repeated. */
const step = <T>(name: string, drawn: fc.Arbitrary<T>, plannerOf: (given: T) => Planner): fc.Arbitrary<Command> =>
  drawn.map((given) => asCommand(plannerOf(given), `${name} ${JSON.stringify(given)}`))

const n = fc.nat(1_000)
const name = fc.constantFrom('a', 'b', 'c')
const externalId = fc.constantFrom('1', '2/3', '%')
const kind = fc.constantFrom(...kinds)

const creating = (kind: fc.Arbitrary<Kind>) =>
  step('create', fc.record({ kind, name, n, isDeal: fc.boolean() }), ({ kind, name, n, isDeal }) => (model) => {
    const project = kind === 'tasks' ? pick(model, 'projects', n) : undefined
    if (kind === 'tasks' && project === undefined) return null
    const more = kind === 'crm-entities' ? { kind: isDeal ? 'deal' : 'company' } : project && { projectId: project.id }
    const body = { [titled(kind)]: name, ...more }
    return made(model, { kind, name, project, method: 'POST', path: `/${kind}`, body })
  })
const create = creating(kind)

/** One of each kind, so that every step that follows has something to act on. */
const beginning = fc.tuple(...kinds.map((each) => creating(fc.constant(each))))

const upsert = step('upsert', fc.record({ name, externalId, n, isTask: fc.boolean() }), (given) => (model) => {
  const kind = given.isTask ? 'tasks' : 'projects'
  const found = ofKind(model, kind).find(({ externalId }) => externalId === given.externalId)
  const path = `/${kind}/by-external-id/crm/${encodeURIComponent(given.externalId)}`
  const isShown = found !== undefined && !isHidden(found)
  const project = kind === 'projects' ? undefined : isShown ? found.project : pick(model, 'projects', given.n)
  if (kind === 'tasks' && !project) return null
  const body = { [titled(kind)]: given.name, ...(project && { projectId: project.id }) }
  if (found === undefined)
    return made(model, { ...given, kind, project: project ?? undefined, method: 'PUT', path, body })
  if (!isShown)
    return refusal('PUT', path, project?.deleted === true ? '422 reference_not_found' : '409 duplicate', body)
  if (found.deleted) return refusal('PUT', path, '409 duplicate', body)
  return changed(model, found, { method: 'PUT', path, body, name: given.name })
})

const rename = step('rename', fc.record({ kind, name, n }), ({ kind, name, n }) => (model) => {
  const thing = pick(model, kind, n)
  return thing === undefined ? null : changed(model, thing, { body: { [titled(kind)]: name }, name })
})

const transit = step(
  'transit',
  kind.chain((kind) => fc.record({ kind: fc.constant(kind), n, status: fc.constantFrom(...statusesOf(kind)) })),
  ({ kind, n, status }) =>
    (model) => {
      const thing = pick(model, kind, n)
      return !thing?.status ? null : changed(model, thing, { body: { [stated(kind)]: status }, status })
    },
)

const move = step('move', fc.record({ n, m: n }), ({ n, m }) => (model) => {
  const [task, to] = [pick(model, 'tasks', n), pick(model, 'projects', m)]
  if (task === undefined || to === undefined) return null
  const [path, body] = [`/tasks/${task.id}`, { projectId: to.id }]
  const same = task.project === to
  const answer = gone(task) ?? (!same && to.deleted ? closed(to) : null) ?? stopped(task) ?? (same ? null : closed(to))
  const after = ({ number }: Body) => {
    if (same) return task
    expect(number).toBe((to.numbers += 1))
    bump(model, task, { project: to }, 'updated')
    return task
  }
  return { method: 'PATCH', path, body, answer: answer ?? '200', after }
})

const remove = step('remove', fc.record({ kind, n }), ({ kind, n }) => (model) => {
  const thing = pick(model, kind, n)
  if (thing === undefined) return null
  const path = `/${kind}/${thing.id}`
  if (isHidden(thing)) return refusal('DELETE', path, '404 not_found')
  if (thing.deleted) return refusal('DELETE', path, '204')
  const after = () => void bump(model, thing, { deleted: true }, 'deleted')
  return { method: 'DELETE', path, answer: stopped(thing) ?? '204', after }
})

const restore = step('restore', fc.record({ kind, n }), ({ kind, n }) => (model) => {
  const thing = pick(model, kind, n)
  if (thing === undefined) return null
  const path = `/${kind}/${thing.id}/restore`
  if (isHidden(thing)) return refusal('POST', path, '404 not_found')
  if (!thing.deleted) return refusal('POST', path, '409 not_deleted')
  if (thing.mergedInto !== null) return refusal('POST', path, '409 invalid_transition')
  const after = () => (bump(model, thing, { deleted: false }, 'restored'), thing)
  return { method: 'POST', path, answer: stopped(thing) ?? '200', after }
})

const archive = step('archive', fc.record({ n, archived: fc.boolean() }), ({ n, archived }) => (model) => {
  const project = pick(model, 'projects', n)
  if (project === undefined) return null
  const event = archived ? 'archived' : 'unarchived'
  const after = () => {
    if (project.archived !== archived) bump(model, project, { archived }, event)
    return project
  }
  const path = `/projects/${project.id}/${event.slice(0, -1)}`
  return { method: 'POST', path, answer: gone(project) ?? '200', after }
})

const merge = step('merge', fc.record({ n, m: n }), ({ n, m }) => (model) => {
  const [survivor, source] = [pick(model, 'crm-entities', n), pick(model, 'crm-entities', m)]
  if (survivor === undefined || source === undefined) return null
  const [path, body] = [`/crm-entities/${survivor.id}/merge`, { sourceId: source.id }]
  const isDone = source.mergedInto === survivor
  const isOther = (survivor.status === null) !== (source.status === null)
  const answer =
    gone(survivor) ??
    (isDone ? null : source.deleted ? '422 reference_not_found' : null) ??
    (source === survivor || isOther ? '422 validation_failed' : null)
  const after = () => {
    if (isDone) return survivor
    bump(model, survivor, {}, 'merged')
    bump(model, source, { deleted: true, mergedInto: survivor }, 'deleted')
    for (const before of model.things) if (before.mergedInto === source) before.mergedInto = survivor
    return survivor
  }
  return { method: 'POST', path, body, answer: answer ?? '200', after }
})

const read = step('read', fc.record({ kind, n }), ({ kind, n }) => (model) => {
  const thing = pick(model, kind, n)
  if (thing === undefined) return null
  const shown = survivorOf(thing)
  return { method: 'GET', path: `/${kind}/${thing.id}`, answer: gone(shown) ?? '200', after: () => shown }
})

const survivorOf = (thing: Thing): Thing => (thing.mergedInto === null ? thing : survivorOf(thing.mergedInto))
const gone = (thing: Thing): string | null => (thing.deleted || isHidden(thing) ? '404 not_found' : null)

type Making = Pick<Plan, 'method' | 'path' | 'body'> & {
  kind: Kind
  name: string
  externalId?: string
  project?: Thing | undefined
}

function made(model: Model, { kind, name, externalId, project, ...sent }: Making): Plan {
  const after = (body: Body) => {
    const status: string | null = body[stated(kind)] ?? null
    add(model, { kind, id: body.id, name, status, externalId: externalId ?? null, project: project ?? null })
    if (project !== undefined) expect(body.number).toBe(project.numbers)
    return model.things.at(-1)
  }
  return { ...sent, answer: (project && closed(project)) ?? '201', after }
}

type Changing = { method?: string; path?: string; body: object; name?: string; status?: string }

function changed(model: Model, thing: Thing, { name = thing.name, status, ...sent }: Changing): Plan {
  const { kind, id } = thing
  const next = { name, status: status ?? thing.status }
  const isRefused = status !== undefined && !canMove(kind, thing.status, status)
  const answer = gone(thing) ?? (isRefused ? '409 invalid_transition' : null) ?? stopped(thing) ?? '200'
  const after = () => {
    if (name !== thing.name || next.status !== thing.status) bump(model, thing, next, 'updated')
    return thing
  }
  return { method: 'PATCH', path: `/${kind}/${id}`, ...sent, answer, after }
}

const asCommand = (planner: Planner, label: string): Command => ({
  check: (model) => planner(model) !== null,
  run: async (model, tenant) => {
    const plan = planner(model)
    if (plan === null) return
    const { method, path, body: sent, after } = plan
    const { status, body } = await tenant.api(method, `/api/v1${path}`, sent)
    const asked = `${method} ${path} ${JSON.stringify(sent) ?? ''}`
    expect([asked, `${status} ${body?.code ?? ''}`.trim()]).toEqual([asked, plan.answer])
    if (status < 300) assertIs(after(body), body, asked)
  },
  toString: () => label,
})

function assertIs(thing: Thing | undefined, body: Body, asked: string): void {
  if (thing === undefined) return
  const { kind, id, version, name, status } = thing
  const seen = [body.id, body.version, body[titled(kind)], body[stated(kind)] ?? null]
  expect([asked, ...seen]).toEqual([asked, id, version, name, status])
}

const follow = fc.constant<Command>({
  check: () => true,
  run: ({ copies }, tenant) => assertAgree(copies, tenant),
  toString: () => 'follow',
})

const steps = [create, upsert, rename, transit, move, remove, restore, archive, merge, read, follow]

const lives = 20
const stepsMost = 60
/** On a quiet machine it takes a few seconds. */
const perModeMs = 300_000
/** In each mode others are lived. */
const seedIn = (mode: Mode): number => (fc.readConfigureGlobal().seed ?? 0) + modesOfAll.indexOf(mode)
const modesOfAll: readonly Mode[] = ['standalone', 'distributed']
const nameOf = ({ id, version }: { id: string; version: number }): string => `${id}@${version}`

async function assertLists(model: Model, tenant: Tenant): Promise<void> {
  const get = async (path: string): Promise<Body> => must(await tenant.api('GET', `/api/v1${path}`))
  for (const kind of kinds) {
    const archived = kind === 'projects' ? '&includeArchived=true' : ''
    const query = `sort=createdAt&limit=200${archived}`
    const [shown, all] = [ofKind(model, kind).filter(isLive), ofKind(model, kind).filter((each) => !isHidden(each))]
    const seen = (await get(`/${kind}?${query}`)).data.map((each: Body) => [nameOf(each), each[stated(kind)] ?? null])
    expect([kind, ...seen]).toEqual([kind, ...shown.map((each) => [nameOf(each), each.status])])
    const withDeleted = (await get(`/${kind}?${query}&includeDeleted=true`)).data
    expect([kind, ...withDeleted.map(nameOf)]).toEqual([kind, ...all.map(nameOf)])
    const { total, groups } = await get(`/${kind}/count?groupBy=${stated(kind)}${archived}`)
    expect([kind, total, tallyOf(groups)]).toEqual([kind, shown.length, tallyOf(countsIn(shown))])
  }
  const usual = (await get('/projects?sort=createdAt&limit=200')).data.map(({ id }: Body) => id)
  expect(usual).toEqual(
    ofKind(model, 'projects')
      .filter((each) => isLive(each) && !each.archived)
      .map(({ id }) => id),
  )
}

async function assertFeed({ events }: Model, tenant: Tenant, start: number): Promise<void> {
  const { data } = must(await tenant.api('GET', `/api/v1/events?after=${start}&limit=200`))
  expect(data.map(({ type, resource }: Body) => `${type} ${nameOf(resource)}`)).toEqual(events)
  expect(data.map(({ sequence }: Body) => sequence)).toEqual(events.map((_event, n) => start + 1 + n))
  expect(data.map(({ occurredAt }: Body) => occurredAt)).toEqual(
    [...new Set<string>(data.map(({ occurredAt }: Body) => occurredAt))].toSorted((a, b) => (a < b ? -1 : 1)),
  )
}

type Group = { readonly value: string | null; readonly count: number }

const countsIn = (things: readonly Thing[]): Group[] =>
  [...Map.groupBy(things, ({ status }) => status)].map(([value, of]) => ({ value, count: of.length }))
const tallyOf = (groups: readonly Group[]): string[] =>
  groups.map(({ value, count }) => `${value} ${count}`).toSorted((a, b) => (a < b ? -1 : 1))

describeModes('random lives', (mode) => {
  const { system } = sharedSystem(mode)

  test(
    'every step is answered as the model says, and afterwards lists, counts and feed agree with it',
    async () => {
      const eventCounts: number[] = []
      const life = fc.tuple(beginning, fc.commands(steps, { maxCommands: stepsMost, size: 'max' }))
      await fc.assert(
        fc.asyncProperty(life, async ([first, commands]) => {
          const tenant = await system.tenant()
          const start = await tenant.lastSequence()
          const model: Model = { things: [], events: [], copies: await copiesOf(tenant) }

          for (const command of first) await command.run(model, tenant)
          await fc.asyncModelRun(() => ({ model, real: tenant }), commands)
          eventCounts.push(model.events.length)

          await assertAgree(model.copies, tenant)
          await assertLists(model, tenant)
          await assertFeed(model, tenant, start)
        }),
        { numRuns: lives, seed: seedIn(mode) },
      )
      expect(eventCounts).toHaveLength(lives)
      expect(eventCounts.filter((events) => events >= 10).length).toBeGreaterThanOrEqual(lives / 2)
    },
    perModeMs,
  )
})
