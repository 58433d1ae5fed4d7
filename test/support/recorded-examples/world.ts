// The workspace in which an operation is recorded: what it is called on is made by the examples of its creation.
import { operations } from '#contract/api.ts'
import { latencyBucketsCount } from '#contract/internal/reports.ts'
import { exampleBody } from '#contract/openapi/examples.ts'
import { methodOf, type Audience, type Operation, tagOf } from '#contract/operation.ts'
import { parameterNames, pathFor } from '#contract/route-paths.ts'
import { scopes } from '#contract/scopes.ts'
import { addWebhookActivity } from '../../../dispatcher/results/activity-rows.ts'
import { recordCalls } from '../../../service/api-calls/rows.ts'
import { addActivity } from '../../../service/keys/usage/rows.ts'
import { newId } from '#runtime/new-id.ts'
import { must, type Answer } from '../client.ts'
import { eventually } from '../eventually.ts'
import { type Receiver } from '../receiver.ts'
import { type System } from '../system.ts'
import { type KnownIds } from './stable-values.ts'
import { bodySchema, takesBody } from '#contract/openapi/request-fields.ts'
import { exampleId, idNames } from '#contract/example-values.ts'
import { inspectorUrl } from '#contract/inspector.ts'

export type Json = Readonly<Record<string, unknown>>
type Call = System['call']
/** A workspace of one operation, with a key, and the ids by which the examples call what is in it. */
export type World = Readonly<Record<'workspaceId' | 'keyId', string> & Record<'api' | 'settings', Call>> & {
  readonly system: System
  readonly receiver: Receiver
  readonly ids: KnownIds
}

export const agent = { 'user-agent': 'acme-sync/1.2' }

const audienceOf = ({ audiences }: Operation): Audience => (audiences.includes('api') ? 'api' : 'settings')

export async function worldOf(system: System, receiver: Receiver, { name }: { name: string }): Promise<World> {
  const owner = { name: 'Grace Hopper', email: 'grace@acme.example' }
  const timeZone = name.startsWith('workspaces.update') ? 'UTC' : 'Europe/Berlin'
  const sandbox = name === 'workspaces.reset'
  const { id: workspaceId } = must(
    await system.operator('POST', '/settings/api/workspaces', { name: 'Acme', timeZone, owner, sandbox }),
  )
  // Whoever needs no sample data takes an empty one.
  if (isOfSandboxes(name)) await system.db.workspace.update({ where: { id: workspaceId }, data: { sandbox: true } })
  const inWorkspace = `/settings/api/workspaces/${workspaceId}`
  const settings: Call = (method, path, body, headers) =>
    system.operator(method, inWorkspace + path, body, { ...agent, ...headers })
  const { data } = must(await settings('GET', '/members?role=owner'))
  const key = { name: 'Nightly sync', scopes, ownerId: data[0].id }
  const { id: keyId, secret } = must(await settings('POST', '/api-keys', key))
  const ids = new Map([
    [workspaceId, exampleId('workspaceId')],
    [keyId, exampleId('callingKeyId')],
    [data[0].id, exampleId('ownerId')],
  ])
  const api: Call = (method, path, body, headers) =>
    system.call(method, path, body, { authorization: `Bearer ${secret}`, ...agent, ...headers })
  // There they are called by another workspace's id.
  if (['workspaces.create', 'workspaces.create-sandbox', 'workspaces.list'].includes(name)) ids.delete(workspaceId)
  return { system, receiver, workspaceId, keyId, api, settings, ids }
}

/** An example's body, with what the workspace has in the place of the ids that it names. */
export async function bodyFor(operation: Operation, world: World): Promise<Json | undefined> {
  if (!takesBody(operation) || Object.keys(bodySchema(operation).properties).length === 0) return undefined
  let text = JSON.stringify(exampleBody(operation))
  const named = {
    projectId: 'projects',
    objectId: 'projects',
    taskId: 'tasks',
    sourceId: 'crm-entities',
    memberId: 'members',
  }
  for (const [field, segment] of Object.entries(named)) {
    if (!text.includes(`"${field}":`)) continue
    text = text.replaceAll(exampleId(field), await idOf(world, exampleId(field), () => make(world, segment, field)))
  }
  return JSON.parse(text) as Json
}

/** The id of what an example's id stands for; it is made where there is none yet. */
async function idOf({ ids }: World, example: string, make: () => Promise<string>): Promise<string> {
  for (const [real, shown] of ids) if (shown === example) return real
  const made = await make()
  ids.set(made, example)
  return made
}

/** What objects are called before an example changes them. */
const formerly: Readonly<Record<string, Json>> = {
  projects: { name: 'New website', status: 'active' },
  tasks: { title: 'Start page', priority: 'high' },
  'crm-entities': { name: 'Acme Ltd' },
  documents: { title: 'Manual' },
  comments: { body: 'Done?' },
  members: { name: 'Ada King' },
  'api-keys': { name: 'Sync' },
  webhooks: { name: 'Deploys' },
  'custom-fields': { label: 'Contract' },
}

const externalId = { externalSource: 'erp', externalId: '4711' }

/** By the example of its creation, with an id of its own in another system where it can have one. */
export async function make(world: World, segment: string, field = '', former: Json = {}): Promise<string> {
  const create = operations.find(({ name }) => [`${segment}.create`, `${segment}.add`].includes(name))
  if (create === undefined) throw new Error(`Nothing makes one of ${segment}`)
  const other = field === 'sourceId' ? { name: 'Acme Ltd' } : {}
  const own = 'externalId' in create.input.properties && field !== 'sourceId' ? externalId : {}
  const body = { ...(await bodyFor(create, world)), ...own, ...other, ...former }
  const made = must(await send(create, world, { inPath: {}, body }))
  if (segment === 'files') await upload(world, made.upload.url)
  return made.id as string
}

/** As many bytes as the example of a file says. */
const minutes = 'Dear all,\n\nthe minutes of Monday.\n'

async function upload({ system }: World, address: string): Promise<void> {
  const { pathname, search } = new URL(address)
  const { status } = await fetch(system.url + pathname + search, { method: 'PUT', body: minutes, headers: agent })
  if (status !== 204) throw new Error(`The upload was answered ${status}`)
}

type Sent = {
  readonly inPath: Json
  readonly body?: unknown
  readonly query?: string | undefined
  readonly headers?: Record<string, string>
}

export function send(operation: Operation, world: World, sending: Sent): Promise<Answer> {
  const { inPath, body, query = '', headers = {} } = sending
  const audience = audienceOf(operation)
  const values: Json = { workspaceId: world.workspaceId, ...inPath }
  const template = pathFor(operation, audience)
  const path = parameterNames(template).reduce((p, name) => p.replace(`{${name}}`, String(values[name])), template)
  const sent = methodOf(operation) === 'DELETE' ? undefined : body
  return audience === 'api'
    ? world.api(methodOf(operation), path + query, sent, headers)
    : world.system.operator(methodOf(operation), path + query, sent, { ...agent, ...headers })
}

/** Makes what the operation is called on; returns what stands in its path. */
export async function prepare(operation: Operation, world: World): Promise<Json> {
  const { name } = operation
  const tag = tagOf(name)
  const has = (parameter: string) => parameterNames(pathFor(operation, audienceOf(operation))).includes(parameter)
  const inPath: Record<string, unknown> = { source: 'erp', externalId: '4711', eventType: 'projects.created' }
  const former = methodOf(operation) === 'PATCH' && !name.endsWith('comment') ? formerly[tag] : {}
  const main = (segment = tag) => idOf(world, exampleId(idNames[segment] ?? ''), () => make(world, segment, '', former))
  const action = name.slice(name.indexOf('.') + 1)
  if (tag === 'requests') await recordedCall(world)
  if (ofWorkspaces.has(tag)) inPath['id'] = await workspaceFor(operation, world)
  else if (tag === 'alarms') inPath['id'] = await raised(world)
  else if (tag === 'refusals') inPath['requestId'] = await refusedCall(world)
  else if (tag === 'deliveries' || tag === 'events') inPath['id'] = await delivered(operation, world)
  else if (has('id')) inPath['id'] = await main()
  else if (/list|count|by-external-id/.test(action) && makes(tag)) await main()
  if (['search', 'resources'].includes(tag)) {
    await main('projects')
    await main('documents')
  }
  if (name === 'crm-entities.list') {
    const deal = { kind: 'deal', name: 'Website relaunch', amount: { amount: '1250.00', currency: 'EUR' } }
    const contact = { kind: 'contact', firstName: 'Grace', lastName: 'Hopper' }
    for (const body of [contact, deal]) must(await world.api('POST', '/api/v1/crm-entities', body))
  }
  if (['jobs.get', 'jobs.list'].includes(name)) await jobsEnd(world)
  if (action === 'list-tasks') await main('tasks')
  if (action === 'history') must(await world.api('PATCH', `/api/v1/${tag}/${String(inPath['id'])}`, formerly[tag]))
  if (action.includes('comment') && action !== 'create-comment') {
    const { id } = must(await world.api('POST', `/api/v1/${tag}/${String(inPath['id'])}/comments`, { body: 'Done?' }))
    world.ids.set(id, exampleId('commentId'))
    inPath['commentId'] = id
  }
  if (['restore', 'purge'].includes(action) && tag !== 'workspaces')
    must(await world.api('DELETE', `/api/v1/${tag}/${String(inPath['id'])}`))
  if (name === 'projects.unarchive') must(await world.api('POST', `/api/v1/projects/${String(inPath['id'])}/archive`))
  if (name === 'custom-fields.unarchive')
    must(await world.api('DELETE', `/api/v1/custom-fields/${String(inPath['id'])}`))
  if (name === 'files.release') must(await world.api('POST', `/api/v1/files/${String(inPath['id'])}/quarantine`, {}))
  if (name === 'webhooks.enable') must(await world.api('POST', `/api/v1/webhooks/${String(inPath['id'])}/pause`))
  if (name.includes('inspected')) inPath['inspectedRequestId'] = await inspected(world, String(inPath['id']))
  if (/^(api-keys|webhooks)\.(usage|requests)$|^(usage|audit-entries)/.test(name)) await use(operation, world, inPath)
  return inPath
}

const ofWorkspaces = new Set(['workspaces', 'workspace-deletions', 'legal-holds'])
/** The slug of a workspace that is deleted. */
export const slugConfirmed = 'acme-gone'

/** As the operation is called on it: on its way to being deleted, or held. */
async function workspaceFor({ name }: Operation, { system, workspaceId, settings }: World): Promise<string> {
  if (name === 'workspaces.delete') must(await settings('PATCH', '', { slug: slugConfirmed }))
  if (name === 'workspaces.restore' || name.startsWith('workspace-deletions')) {
    const { slug } = must(await settings('GET', ''))
    must(await settings('DELETE', `?confirm=${slug}`))
  }
  if (name.startsWith('legal-holds') && name !== 'legal-holds.set')
    must(await system.operator('PUT', `/settings/api/legal-holds/${workspaceId}`, { reason: 'Case 4711' }))
  return workspaceId
}

/** An owner who came by as another one was there. */
async function raised({ system: { db }, workspaceId, ids }: World): Promise<string> {
  const owner = await db.member.findFirstOrThrow({ where: { workspaceId, role: 'owner' } })
  const alarm = { id: newId(), kind: 'owner_added', subjectId: owner.id, subjectName: owner.name, occasion: '1' }
  await db.alarm.create({ data: { workspaceId, ...alarm, openedAt: new Date() } })
  ids.set(alarm.id, exampleId('alarmId'))
  return alarm.id
}

const makes = (segment: string): boolean =>
  operations.some(({ name }) => [`${segment}.create`, `${segment}.add`].includes(name))

async function refusedCall(world: World): Promise<string> {
  const { secret } = must(await world.settings('POST', '/api-keys', { name: 'Reports', scopes: ['tasks:read'] }))
  const authorization = `Bearer ${secret}`
  const { body } = await world.system.call('GET', '/api/v1/projects', undefined, { authorization, ...agent })
  const asked = () => world.system.operator('GET', `/settings/api/refusals/${body.requestId}`)
  await eventually(async () => (await asked()).status === 200, 'the refusal to be kept')
  return body.requestId as string
}

/** A project is made, and a webhook is told of it. Returns what the path of the operation names. */
export async function delivered({ name }: Operation, world: World): Promise<string> {
  const hook = { name: 'Deployments', url: world.receiver.url, eventTypes: ['projects.*'] }
  const { id: webhookId } = must(await world.api('POST', '/api/v1/webhooks', hook))
  world.ids.set(webhookId, exampleId('webhookId'))
  world.ids.set(await make(world, 'projects'), exampleId('projectId'))
  const [delivery] = await eventually(async () => {
    const { data } = must(await world.api('GET', '/api/v1/deliveries?status=delivered'))
    return data.length > 0 ? data : null
  }, 'the delivery')
  world.ids.set(delivery.eventId, exampleId('eventId'))
  world.ids.set(delivery.id, exampleId('deliveryId'))
  if (name.startsWith('events')) return delivery.eventId as string
  if (name === 'deliveries.replay-many') {
    const dead = { status: 'dead_letter', deliveredAt: null, deadLetteredAt: new Date() } as const
    await world.system.db.delivery.updateMany({ where: { id: delivery.id }, data: dead })
  }
  if (!name.endsWith('replay-job')) return delivery.id as string
  const job = { filter: { ids: [delivery.id] } }
  const { id } = must(await world.api('POST', '/api/v1/deliveries/replay', job))
  world.ids.set(id, exampleId('replayJobId'))
  const asked = () => world.api('GET', `/api/v1/deliveries/replay-jobs/${id}`)
  await eventually(async () => must(await asked()).status === 'completed', 'the end of the replay job')
  return id as string
}

const jobsEnd = ({ api }: World) =>
  eventually(async () => {
    const { data } = must(await api('GET', '/api/v1/jobs'))
    return data.every((job: { endedAt: string | null }) => job.endedAt !== null)
  }, 'the end of the job')

/** A call that was refused, as a gateway would report it. */
async function recordedCall({ system, keyId, workspaceId, ids }: World): Promise<void> {
  const call = { method: 'GET', path: '/api/v1/webhooks', operation: 'webhooks.list', surface: 'http' } as const
  const from = { ip: '192.0.2.10', requestId: exampleId('requestId'), objectId: null }
  const answer = { status: 403, ms: 3.2, isRead: false, code: 'insufficient_scope', leftOut: 0 }
  const detail = 'The request requires the scope webhooks:read.'
  await system.db.apiCall.deleteMany({ where: { workspaceId } })
  const at = new Date()
  await recordCalls(system.db, [{ keyId, workspaceId, at: at.toISOString(), ...call, ...from, ...answer, detail }], at)
  const { id } = await system.db.apiCall.findFirstOrThrow({ where: { workspaceId } })
  ids.set(id, exampleId('loggedRequestId'))
}

/** What gateways and dispatchers would tell within a minute. */
async function use({ name }: Operation, world: World, { id }: Json): Promise<void> {
  const [at, keyId] = [new Date(), name.startsWith('api-keys') ? String(id) : world.keyId]
  must(await world.api('GET', '/api/v1/projects'))
  const { workspaceId, system } = world
  const latency = Array.from({ length: latencyBucketsCount }, (_, place) => (place === 8 ? 2 : 0))
  if (name.startsWith('webhooks')) {
    const until = at.toISOString()
    const tallies = { workspaceId, webhookId: String(id), until, statuses: [2, 0, 0, 0, 0, 0], latency }
    await addWebhookActivity(system.db, [tallies])
    if (name.endsWith('requests')) await received(world, String(id))
    return
  }
  const call = { method: 'GET', path: '/api/v1/projects', operation: 'projects.list', surface: 'http' } as const
  const answer = { status: 200, ms: 38, ip: '192.0.2.10', requestId: exampleId('requestId') }
  const request = { at: at.toISOString(), workspaceId, ...call, ...answer }
  const operationUse = { operation: 'projects.list', surface: 'http', requests: 2, failed: 0 } as const
  const counted = { keyId, until: at.toISOString(), statuses: [2, 0, 0, 0, 0], latency }
  await addActivity(system.db, [{ ...counted, operations: [operationUse], requests: [request] }])
}

const isOfSandboxes = (name: string): boolean => name.includes('inspected') || name === 'event-types.trigger'

/** Sends a test to the inspector. Returns the id of what that has received. */
async function inspected({ settings, ids }: World, webhookId: string): Promise<string> {
  must(await settings('PATCH', `/webhooks/${webhookId}`, { url: inspectorUrl }))
  const { eventId, deliveryId } = must(await settings('POST', `/webhooks/${webhookId}/test`, {}))
  ids.set(eventId, exampleId('eventId')).set(deliveryId, exampleId('deliveryId'))
  const [request] = await eventually(async () => {
    const { data } = must(await settings('GET', `/webhooks/${webhookId}/inspected-requests`))
    return data.length > 0 ? data : null
  }, 'the request')
  ids.set(request.id, exampleId('inspectedRequestId'))
  return request.id as string
}

/** The webhook of the example goes to an address that is nowhere; what it has sent is shown of one that is there. */
async function received(world: World, webhookId: string): Promise<void> {
  must(await world.api('PATCH', `/api/v1/webhooks/${webhookId}`, { url: world.receiver.url }))
  world.ids.set(await make(world, 'projects'), exampleId('projectId'))
  const requests = () => world.settings('GET', `/webhooks/${webhookId}/requests`)
  await eventually(async () => must(await requests()).data.length > 0, 'the request')
}
