// The steps of the stateful test: each says what it sends, what must come back, and what is so afterwards.
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Answer, Tenant } from '../../support/system.ts'
import {
  add,
  bump,
  canMove,
  isHidden,
  kinds,
  ofKind,
  pick,
  statusesOf,
  type Kind,
  type Model,
  type Thing,
} from './state.ts'

type Body = Answer['body']
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
const refusal = (method: string, path: string, answer: string, body?: object): Plan => ({
  method,
  path,
  answer,
  body,
  after: nothing,
})

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
    return made(model, {
      kind,
      name,
      project,
      method: 'POST',
      path: `/${kind}`,
      body: { [titled(kind)]: name, ...more },
    })
  })
const create = creating(kind)

/** One of each kind, so that every step that follows has something to act on. */
export const beginning = fc.tuple(...kinds.map((each) => creating(fc.constant(each))))

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
  return {
    method: 'POST',
    path: `/projects/${project.id}/${event.slice(0, -1)}`,
    answer: gone(project) ?? '200',
    after,
  }
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

export const steps = [create, upsert, rename, transit, move, remove, restore, archive, merge, read]
