// Makes a new object for one call, in the state that the call needs: ids that were drawn may not exist any more.
import { v7 as uuid } from 'uuid'
import { operationNamed, operations } from '#contract/api.ts'
import { methodOf, pathOf, type Operation } from '#contract/operation.ts'
import { parameterNames } from '#contract/route-paths.ts'
import type { InProcess } from './in-process-service.ts'
import { sampleInput } from '../sample-value.ts'

type Fields = Readonly<Record<string, unknown>>

/** The call that brings a new object into the state that the action needs. */
const before = new Map(Object.entries({ test: 'enable', restore: 'delete', purge: 'delete', unarchive: 'archive' }))

/** Returns the input with the id of such an object; unchanged when none can be made. */
export async function onFresh(service: InProcess, operation: Operation, input: Fields): Promise<Fields> {
  if (/replay-(?:many|job)|\.recover|^jobs\./.test(operation.name)) await service.endJobs()
  if (operation.name === 'deliveries.replay-many') {
    await service.makeDelivery()
    return { ...input, filter: { status: ['dead_letter'] } }
  }
  const { expectedVersion: _drawn, ...rest } = input
  if (operation.name === 'jobs.create') return { kind: 'export' }
  if (['comments.create', 'comments.upsert'].includes(operation.name)) return onProject(service, rest)
  if (operation.name === 'documents.edit') {
    // The first edit, in a document that has its text once.
    const [first] = input['edits'] as { readonly find: string }[]
    const { section: _none, ...others } = rest
    return { ...others, id: await create(service, 'documents.create', { content: first?.find }), edits: [first] }
  }
  if (ofDeletion.has(operation.name)) return onNewWorkspace(service, operation, rest)
  const names = parameterNames(pathOf(operation))
  const made = names.includes('source')
    ? await byExternalId(service, operation)
    : names.includes('id')
      ? await byId(service, operation, input['id'])
      : null
  return made === null ? input : { ...rest, ...made }
}

const ofDeletion = new Set(['workspaces.delete', 'workspaces.restore', 'workspace-deletions.get'])

/** The slug of a workspace confirms its deletion, which can be read and taken back once it is asked for. */
async function onNewWorkspace(service: InProcess, { name }: Operation, input: Fields): Promise<Fields> {
  const id = await create(service, 'workspaces.create')
  const { body } = await service.call(operationNamed('workspaces.get'), { id })
  const deletion = { id, confirm: (body as { readonly slug: string }).slug, graceDays: 1 }
  if (name === 'workspaces.delete') return { ...input, ...deletion }
  await service.call(operationNamed('workspaces.delete'), deletion)
  return { id }
}

async function byId(service: InProcess, operation: Operation, drawn: unknown): Promise<Fields> {
  const [segment = '', action = ''] = operation.name.split('.')
  // At the limit of the workspace an existing object is used.
  const id = (await idFor(service, segment, action)) ?? drawn
  if (
    segment === 'files' &&
    typeof id === 'string' &&
    ['release', 'quarantine', 'create-download-address'].includes(action)
  )
    await service.setFileStatus(id, action === 'create-download-address' ? 'available' : 'held')
  const first = before.get(action)
  if (first !== undefined) await service.call(operationNamed(`${segment}.${first}`), { id })
  if (pathOf(operation).includes('{commentId}'))
    return { id, commentId: await create(service, `${segment}.create-comment`, { id }) }
  return action === 'merge' ? { id, sourceId: await create(service, `${segment}.create`) } : { id }
}

async function idFor(service: InProcess, segment: string, action: string): Promise<string | null> {
  if (action.endsWith('replay-job'))
    return create(service, 'deliveries.replay-many', { filter: { status: ['dead_letter'] } })
  if (segment === 'deliveries') return service.makeDelivery()
  if (segment === 'events') return anyEvent(service)
  if (segment === 'legal-holds') return create(service, 'workspaces.create')
  const adds = operations.some(({ name }) => name === `${segment}.add`)
  return create(service, `${segment}.${adds ? 'add' : 'create'}`)
}

async function anyEvent(service: InProcess): Promise<string | null> {
  const { body } = await service.call(operationNamed('events.list'), { limit: 1 })
  return (body as { readonly data: readonly { readonly id: string }[] }).data[0]?.id ?? null
}

async function byExternalId(service: InProcess, operation: Operation): Promise<Fields | null> {
  if (methodOf(operation) === 'PUT') return null
  const place = { source: 'erp', externalId: uuid() }
  const upsert = operations.find((each) => methodOf(each) === 'PUT' && pathOf(each) === pathOf(operation))
  return (await create(service, upsert?.name ?? '', place)) === null ? null : place
}

/** A comment is on one object alone. */
async function onProject(
  service: InProcess,
  { taskId: _task, crmEntityId: _entity, ...rest }: Fields,
): Promise<Fields> {
  return { ...rest, projectId: await create(service, 'projects.create') }
}

/** Returns its id; null when the call was refused, or no operation makes one. */
async function create(service: InProcess, name: string, more: Fields = {}): Promise<string | null> {
  const operation = operations.find((each) => each.name === name)
  if (operation === undefined) return null
  const { required = [] } = operation.input as { required?: readonly string[] }
  const isOnProject = required.includes('projectId') || ['comments.create', 'comments.upsert'].includes(name)
  const projectId = isOnProject ? { projectId: await create(service, 'projects.create') } : {}
  const { status, body } = await service.call(operation, { ...sampleInput(operation.input), ...projectId, ...more })
  return status < 300 ? (body as { id: string }).id : null
}
