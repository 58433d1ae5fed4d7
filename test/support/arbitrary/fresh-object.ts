// Makes a new object for one call, in the state that the call needs: ids that were drawn may not exist any more.
import { v7 as uuid } from 'uuid'
import { operationNamed, operations } from '#contract/api.ts'
import { methodOf, pathOf, type Operation } from '#contract/operation.ts'
import { parameterNames } from '#contract/route-paths.ts'
import type { Reply } from './in-process-service.ts'
import { sampleInput } from '../sample-value.ts'

type Fields = Readonly<Record<string, unknown>>
export type Maker = {
  call(operation: Operation, input: Fields): Promise<Reply>
  /** The id of a dead-lettered delivery of an active webhook. */
  makeDelivery(): Promise<string>
  /** Ends replay jobs: nothing runs them here, and a workspace may have only one at a time. */
  endReplayJobs(): Promise<unknown>
}

/** The call that brings a new object into the state that the action needs. */
const before: Readonly<Record<string, string>> = {
  test: 'enable',
  restore: 'delete',
  purge: 'delete',
  unarchive: 'archive',
}

/** Returns the input with the id of such an object; unchanged when none can be made. */
export async function onFresh(maker: Maker, operation: Operation, input: Fields): Promise<Fields> {
  if (/replay-(?:many|job)/.test(operation.name)) await maker.endReplayJobs()
  if (operation.name === 'deliveries.replay-many') {
    await maker.makeDelivery()
    return { ...input, filter: { status: ['dead_letter'] } }
  }
  const { expectedVersion: _drawn, ...rest } = input
  if (operation.name === 'documents.edit') {
    // The first edit, in a document that has its text once.
    const [first] = input['edits'] as { readonly find: string }[]
    const { section: _none, ...others } = rest
    return { ...others, id: await create(maker, 'documents.create', { content: first?.find }), edits: [first] }
  }
  const names = parameterNames(pathOf(operation))
  const made = names.includes('source')
    ? await byExternalId(maker, operation)
    : names.includes('id')
      ? await byId(maker, operation, input['id'])
      : null
  return made === null ? input : { ...rest, ...made }
}

async function byId(maker: Maker, operation: Operation, drawn: unknown): Promise<Fields> {
  const [segment = '', action = ''] = operation.name.split('.')
  // At the limit of the workspace an existing object is used.
  const id = (await idFor(maker, segment, action)) ?? drawn
  const first = before[action]
  if (first !== undefined) await maker.call(operationNamed(`${segment}.${first}`), { id })
  if (pathOf(operation).includes('{commentId}'))
    return { id, commentId: await create(maker, `${segment}.create-comment`, { id }) }
  return action === 'merge' ? { id, sourceId: await create(maker, `${segment}.create`) } : { id }
}

function idFor(maker: Maker, segment: string, action: string): Promise<string | null> {
  if (action.endsWith('replay-job'))
    return create(maker, 'deliveries.replay-many', { filter: { status: ['dead_letter'] } })
  if (segment === 'deliveries') return maker.makeDelivery()
  const adds = operations.some(({ name }) => name === `${segment}.add`)
  return create(maker, `${segment}.${adds ? 'add' : 'create'}`)
}

async function byExternalId(maker: Maker, operation: Operation): Promise<Fields | null> {
  if (methodOf(operation) === 'PUT') return null
  const place = { source: 'erp', externalId: uuid() }
  const upsert = operations.find((each) => methodOf(each) === 'PUT' && pathOf(each) === pathOf(operation))
  return (await create(maker, upsert?.name ?? '', place)) === null ? null : place
}

/** Returns its id; null when the call was refused, or no operation makes one. */
async function create(maker: Maker, name: string, more: Fields = {}): Promise<string | null> {
  const operation = operations.find((each) => each.name === name)
  if (operation === undefined) return null
  const { required = [] } = operation.input as { required?: readonly string[] }
  const projectId = required.includes('projectId') ? { projectId: await create(maker, 'projects.create') } : {}
  const { status, body } = await maker.call(operation, { ...sampleInput(operation.input), ...projectId, ...more })
  return status < 300 ? (body as { id: string }).id : null
}
