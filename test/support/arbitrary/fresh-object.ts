// Makes a new object for one call, in the state that the call needs: ids that were drawn may not exist any more.
import { v7 as uuid } from 'uuid'
import { operations } from '#contract/api.ts'
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

const named = (name: string): Operation | undefined => operations.find((each) => each.name === name)

/** Returns the input with the id of such an object; unchanged when none can be made. */
export async function onFresh(maker: Maker, operation: Operation, input: Fields): Promise<Fields> {
  const names = parameterNames(pathOf(operation))
  if (operation.name === 'documents.edit') return await withTextToFind(maker, input)
  if (/replay-(?:many|job)/.test(operation.name)) await maker.endReplayJobs()
  if (operation.name === 'deliveries.replay-many') return { ...input, filter: await replayableFilter(maker) }
  const made = names.includes('source')
    ? await byExternalId(maker, operation)
    : await byId(maker, operation, names, input)
  const { expectedVersion: _drawn, ...rest } = input
  return made === null ? input : { ...rest, ...made }
}

/** The first edit, in a document that has its text once. */
async function withTextToFind(maker: Maker, input: Fields): Promise<Fields> {
  const [first] = input['edits'] as { readonly find: string }[]
  const id = await create(maker, 'documents.create', { content: first?.find })
  const { expectedVersion: _drawn, section: _none, ...rest } = input
  return { ...rest, id, edits: [first] }
}

/** A filter that at least one replayable delivery matches. */
async function replayableFilter(maker: Maker): Promise<Fields> {
  await maker.makeDelivery()
  return { status: ['dead_letter'] }
}

async function byId(
  maker: Maker,
  operation: Operation,
  names: readonly string[],
  drawn: Fields,
): Promise<Fields | null> {
  if (!names.includes('id')) return null
  const [segment = ''] = operation.name.split('.')
  // At the limit of the workspace an existing object is used.
  const id = (await idFor(maker, operation, segment)) ?? drawn['id']
  for (const before of statesBefore(operation.name)) await call(maker, `${segment}.${before}`, { id })
  if (names.includes('commentId')) return { id, commentId: await create(maker, `${segment}.create-comment`, { id }) }
  if (operation.name.endsWith('.merge')) return { id, sourceId: await create(maker, `${segment}.create`) }
  return { id }
}

/** The calls that bring a new object into the state that the operation needs. */
const statesBefore = (name: string): string[] =>
  name === 'webhooks.test'
    ? ['enable']
    : name.endsWith('.restore') || name.endsWith('.purge')
      ? ['delete']
      : name.endsWith('.unarchive')
        ? ['archive']
        : []

function idFor(maker: Maker, { name }: Operation, segment: string): Promise<string | null> {
  if (name.endsWith('replay-job'))
    return create(maker, 'deliveries.replay-many', { filter: { status: ['dead_letter'] } })
  if (segment === 'deliveries') return maker.makeDelivery()
  return create(maker, named(`${segment}.add`) === undefined ? `${segment}.create` : `${segment}.add`)
}

async function byExternalId(maker: Maker, operation: Operation): Promise<Fields | null> {
  const place = { source: 'erp', externalId: uuid() }
  if (methodOf(operation) === 'PUT') return null
  const upsert = operations.find((each) => methodOf(each) === 'PUT' && pathOf(each) === pathOf(operation))
  return (await create(maker, upsert?.name ?? '', place)) === null ? null : place
}

/** Returns its id; null when the call was refused, or no operation makes one. */
async function create(maker: Maker, name: string, more: Fields = {}): Promise<string | null> {
  const operation = named(name)
  if (operation === undefined) return null
  const { required = [] } = operation.input as { required?: readonly string[] }
  const projectId = required.includes('projectId') ? { projectId: await create(maker, 'projects.create') } : {}
  const { status, body } = await call(maker, name, { ...sampleInput(operation.input), ...projectId, ...more })
  return status < 300 ? (body as { id: string }).id : null
}

async function call(maker: Maker, name: string, input: Fields): Promise<Reply> {
  const operation = named(name)
  if (operation === undefined) throw new Error(`There is no operation ${name}`)
  return maker.call(operation, input)
}
