// Records what the product answers to the examples of its own descriptions: each operation is called once, in a
// workspace of its own, with the body of its example, and once more in each way in which its examples show it refused.
// The answers, the events that the calls record and the refusals are what the descriptions show.
import { defaultRates } from '#contract/rate-limits.ts'
import { commented, commentEvents, type CommentedSegment } from '#contract/comments.ts'
import { eventCatalogue, operationNamed, operations, streams, transfers } from '#contract/api.ts'
import { exampleBody } from '#contract/openapi/examples.ts'
import { exampleId, exampleInPath, idNames } from '#contract/example-values.ts'
import { answersFile } from '#contract/file-answer.ts'
import { takesBody } from '#contract/openapi/request-fields.ts'
import { refusalsShown, type RecordedExamples } from '#contract/openapi/recorded-examples.ts'
import { methodOf, pathOf, type Operation, tagOf } from '#contract/operation.ts'
import { pathFor } from '#contract/route-paths.ts'
import type { Stream } from '#contract/stream.ts'
import { defaultSchedule } from '../../../dispatcher/attempt/retry-decision.ts'
import { emitDenied, emitExpiring } from '../../../service/alarms/due-keys.ts'
import { emitRotationDue } from '../../../service/keys/api-keys/rotation-due.ts'
import { disableGivenUp, warnOfFailing } from '../../../service/webhooks/failing.ts'
import { tellDeadLetters } from '../../../service/webhooks/dead-letters.ts'
import { changeDeps } from '../change-deps.ts'
import { must, type Answer } from '../client.ts'
import { eventually } from '../eventually.ts'
import { startReceiver } from '../receiver.ts'
import { startSignInProvider } from '../servers/sign-in-provider.ts'
import { startSystem } from '../system.ts'
import { recordPeople } from './people.ts'
import { stable, type KnownIds } from './stable-values.ts'
import {
  agent,
  bodyFor,
  delivered,
  make,
  prepare,
  send,
  slugConfirmed,
  worldOf,
  type Json,
  type World,
} from './world.ts'

type Mutable = Record<'answers' | 'refusals', Record<string, Record<string, unknown>>> &
  Record<'events' | 'streams', Record<string, unknown>>

// Passkeys work under a name only.
const publicUrl = 'http://localhost:8080'
/** Emails wait for a server that is not there. */
const nowhere = {
  ...{ host: '127.0.0.1', port: 9, isImplicitTls: false, requiresTls: false, authorities: null, login: null },
  from: { name: 'Workspace', address: 'no-reply@acme.example' },
}
const missingId = '019b8f3e-6a00-7000-8000-ffffffffffff'

export async function recordExamples(): Promise<RecordedExamples> {
  const recorded: Mutable = { answers: {}, refusals: {}, events: {}, streams: {} }
  const redirectUri = `${publicUrl}/settings/sign-in/callback`
  await using provider = await startSignInProvider(redirectUri)
  const { issuer, clientId, clientSecret } = provider
  const ofProvider = { issuer, clientId, clientSecret, redirectUri, name: 'Acme', groupsClaim: 'groups' }
  await using system = await startSystem('standalone', {
    publicUrl,
    brand: 'workspace',
    rates: defaultRates,
    retrySchedule: defaultSchedule,
    mail: { ...nowhere, publicUrl },
    oidc: { ...ofProvider, isOnly: false, allowedDomains: ['acme.example'], groupRoles: [] },
  })
  await using receiver = await startReceiver()
  await recordPeople(system, { provider, publicUrl }, async (name, person, path, replaced) => {
    const operation = operationNamed(name)
    const calledAt = Date.now()
    const body = takesBody(operation) ? { ...exampleBody(operation), ...replaced } : undefined
    const { status, body: answer } = await person.call(methodOf(operation), path, body, agent)
    if (status >= 300) throw new Error(`${name} was answered ${status}: ${JSON.stringify(answer)}`)
    ;(recorded.answers[name] ??= {})[status] = stable(answer, new Map(), calledAt)
    return answer
  })
  const errors: Error[] = []
  for (const operation of inOrder(operations)) {
    if (recorded.answers[operation.name] !== undefined || isOfPeople(operation)) continue
    const world = await worldOf(system, receiver, operation)
    await recordOperation(operation, world, recorded).catch((error: Error) => errors.push(error))
  }
  for (const stream of streams)
    recorded.streams[stream.asked.name] = await recordStream(stream, await worldOf(system, receiver, stream.asked))
  for (const segment of commented)
    await recordRestoredComment(segment, await worldOf(system, receiver, { name: '' }), recorded)
  for (const { asked } of transfers) await recordTransfer(asked, await worldOf(system, receiver, asked), recorded)
  await recordBackgroundEvents(await worldOf(system, receiver, { name: '' }), recorded)
  // All at once: whoever changes an example sees everything that it breaks.
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  return sorted(recorded)
}

/** What a call is named after comes first: the events that it records are the examples of their kinds. */
const inOrder = (all: readonly Operation[]): Operation[] =>
  all.toSorted((a, b) => Number(isRoundabout(a)) - Number(isRoundabout(b)))
const isRoundabout = ({ name }: Operation): boolean => /batch|upsert|external|merge$/.test(name)

/** The operator has neither preferences nor an address. */
const ofMembers = new Set(['alarms.preferences', 'alarms.update-preferences', 'alarms.send-test'])
const isOfPeople = ({ name, admits }: Operation): boolean =>
  ['account', 'anyone'].includes(admits) || tagOf(name) === 'email-changes' || ofMembers.has(name)

const sorted = (recorded: Mutable): RecordedExamples => {
  const inOrderOfNames = (all: object) => Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const parts = Object.entries(recorded).map(([part, all]) => [part, Object.fromEntries(inOrderOfNames(all))])
  return Object.fromEntries(parts) as RecordedExamples
}

async function recordOperation(operation: Operation, world: World, recorded: Mutable): Promise<void> {
  const { name } = operation
  const inPath = await prepare(operation, world)
  const body = await bodyFor(operation, world)
  await recordRefusals(operation, world, inPath, body, recorded)
  // The bytes of a file are no example.
  if (answersFile(operation)) return
  const times = operation.creates ? 2 : 1
  for (let time = 0; time < times; time += 1) {
    const [calledAt, before] = [Date.now(), await lastSequence(world)]
    const { status, body: answer } = await send(operation, world, { inPath, body, query: queries[name] })
    if (status >= 300) throw new Error(`${name} was answered ${status}: ${JSON.stringify(answer)}`)
    for (const result of answer?.results ?? [])
      if (result.status >= 300) throw new Error(`${name} was answered ${JSON.stringify(result)}`)
    knowIdsOf(operation, answer, world.ids)
    if (status !== 204) (recorded.answers[name] ??= {})[status] = stable(cut(answer), world.ids, calledAt)
    await recordEvents(operation, world, before, calledAt, recorded)
  }
}

/** One operation restores the comments on objects of every kind. */
async function recordRestoredComment(segment: CommentedSegment, world: World, recorded: Mutable): Promise<void> {
  const emits = [commentEvents[segment].restored]
  const id = await make(world, segment)
  world.ids.set(id, exampleId(idNames[segment] ?? ''))
  const comment = must(await world.api('POST', `/api/v1/${segment}/${id}/comments`, { body: 'Looks good to me.' }))
  must(await world.api('DELETE', `/api/v1/comments/${comment.id}`))
  const [calledAt, before] = [Date.now(), await lastSequence(world)]
  must(await world.api('POST', `/api/v1/comments/${comment.id}/restore`))
  await recordEvents({ emits }, world, before, calledAt, recorded)
}

/** What an operation has made is called as its own path calls it. */
function knowIdsOf(operation: Operation, answer: Answer['body'], ids: KnownIds): void {
  const example = exampleInPath(operation.name, 'id')
  const isKnown = new Set(ids.values()).has(example)
  if (typeof answer?.id === 'string' && !ids.has(answer.id) && !isKnown) ids.set(answer.id, example)
}

/** Long lists show their last two objects; what a schema wants whole stays whole. */
function cut(answer: Answer['body']): unknown {
  if (Array.isArray(answer?.periods)) return { ...answer, periods: answer.periods.slice(-2) }
  const isCatalogue = Array.isArray(answer?.data) && answer.page === undefined
  return isCatalogue ? { ...answer, data: answer.data.slice(0, answer.data[0]?.schema === undefined ? 2 : 1) } : answer
}

const lists = operations.filter(({ name, input }) => /list|attempts/.test(name) && 'limit' in input.properties)
const queries: Readonly<Record<string, string>> = {
  ...Object.fromEntries(lists.map(({ name }) => [name, '?limit=2'])),
  ...Object.fromEntries(['projects', 'tasks', 'documents'].map((segment) => [`${segment}.count`, '?groupBy=status'])),
  'crm-entities.list': '?limit=3',
  'crm-entities.count': '?groupBy=kind',
  'comments.count': '?groupBy=externalSource',
  'search.query': '?q=website',
  'resources.read': '?uri=workspace%3A%2F%2Foverview',
  'webhooks.check-url': '?url=https%3A%2F%2Fhooks.acme.example%2Fworkspace',
  'workspaces.list': '?limit=1',
  'workspaces.delete': `?confirm=${slugConfirmed}`,
}

const lastSequence = async ({ settings }: World): Promise<number> => {
  const { lastSequence } = must(await settings('GET', '/events?occurredAfter=2100-01-01T00:00:00Z'))
  return lastSequence
}

type Emitting = Pick<Operation, 'emits'>
async function recordEvents({ emits }: Emitting, world: World, after: number, calledAt: number, { events }: Mutable) {
  const wanted = new Set<string>(emits.map(({ type }) => type).filter((type) => events[type] === undefined))
  if (wanted.size === 0) return
  const { data } = must(await world.settings('GET', `/events?after=${after}&limit=200`))
  for (const event of data) {
    if (events[event.type] !== undefined || !wanted.has(event.type)) continue
    const shown = exampleId(idNames[tagOf(event.type)] ?? '')
    const ids = new Map([...world.ids].filter(([, example]) => example !== shown))
    const isMain = event.data.object !== 'comment' && world.ids.get(event.resource.id) === undefined
    const known = isMain ? ids.set(event.resource.id, shown) : world.ids
    if (event.data.object === 'comment') known.set(event.data.id, exampleId('commentId'))
    events[event.type] = stable({ ...event, sequence: 1_042 }, known.set(event.id, exampleId('eventId')), calledAt)
  }
}

async function recordRefusals(
  operation: Operation,
  world: World,
  inPath: Json,
  body: Json | undefined,
  { refusals }: Mutable,
): Promise<void> {
  const { name } = operation
  for (const { status, code, by } of refusalsShown(operation)) {
    const calledAt = Date.now()
    const sent = by === 'field' ? { ...body, nmae: 'Website relaunch' } : body
    const missing = pathOf(operation).includes('{externalId}') ? { externalId: '4712' } : { id: missingId }
    const asked = by === 'id' ? { ...inPath, ...missing } : inPath
    const headers = by === 'version' ? { 'if-match': '"99"' } : {}
    const answer = await send(operation, world, { inPath: asked, body: sent, query: queries[name], headers })
    if (answer.status !== status || answer.body.code !== code)
      throw new Error(`${name} was to be refused as ${code}, and was answered ${JSON.stringify(answer.body)}`)
    ;(refusals[name] ??= {})[status] = stable({ ...answer.body, instance: '' }, world.ids, calledAt)
  }
}

/** The first messages of a stream, while a project is made, to the byte but for what is never the same. */
async function recordStream({ asked, message }: Stream, world: World): Promise<string> {
  const [calledAt, gone] = [Date.now(), new AbortController()]
  const path = pathFor(asked, 'settings').replace('{workspaceId}', world.workspaceId)
  const headers = { authorization: `Bearer ${world.system.operatorToken}`, ...agent }
  const { body } = await fetch(`${world.system.url}${path}?eventTypes=projects.*`, { headers, signal: gone.signal })
  const reading = firstMessages(body!, message)
  await delivered(asked, world)
  const text = await reading
  gone.abort()
  const positions = new Map<string, string>()
  // How many there are that only say where the caller stands depends on the moment.
  const told = text.split('\n\n').filter((block) => !/^id: .*$/.test(block))
  return told.join('\n\n').replaceAll(/^(data|id): (.*)$/gm, (line, name: string, value: string) => {
    if (name === 'data') return `data: ${JSON.stringify(stable(JSON.parse(value), world.ids, calledAt))}`
    if (/^\d+$/.test(value)) return line
    if (!positions.has(value)) positions.set(value, `example-position-${positions.size + 1}`)
    return `id: ${positions.get(value)}`
  })
}

async function firstMessages(body: ReadableStream<Uint8Array>, message: string): Promise<string> {
  const upToIt = new RegExp(`^[^]*?event: ${message}\n[^]*?\n\n`)
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of body) {
    text += decoder.decode(part, { stream: true })
    const [found] = upToIt.exec(text) ?? []
    if (found !== undefined) return found
  }
  throw new Error(`The stream has ended without ${message}`)
}

/** Its bytes are shown nowhere; what it records is. */
async function recordTransfer(asked: Emitting, world: World, recorded: Mutable): Promise<void> {
  const [calledAt, before] = [Date.now(), await lastSequence(world)]
  await make(world, 'files')
  await recordEvents(asked, world, before, calledAt, recorded)
}

/** Those that the product records by itself. */
async function recordBackgroundEvents(world: World, recorded: Mutable): Promise<void> {
  const { workspaceId, ids } = world
  const { db } = world.system
  const parts = changeDeps(db)
  const [calledAt, before, now] = [Date.now(), await lastSequence(world), new Date()]
  const webhookId = await make(world, 'webhooks')
  ids.set(webhookId, exampleId('webhookId'))
  const failing = { consecutiveFailures: 10, failingSince: new Date(now.getTime() - 3 * 86_400_000), warnedPercent: 50 }
  await db.webhookHealth.create({ data: { workspaceId, webhookId, ...failing } })
  await warnOfFailing(parts)
  const deliveryId = exampleId('deliveryId')
  await db.untoldDeadLetter.create({ data: { workspaceId, webhookId, deliveryId, at: now, errorCode: 'timeout' } })
  ids.set(deliveryId, deliveryId)
  await tellDeadLetters(parts)
  await db.webhookHealth.updateMany({ where: { webhookId }, data: { goneAt: now, goneReason: 'failing' } })
  await disableGivenUp(parts)
  const aged = { name: 'Reports', scopes: ['projects:read'], rotationPolicy: { maxAgeDays: 90 } }
  const { id: apiKeyId } = must(await world.settings('POST', '/api-keys', aged))
  ids.set(apiKeyId, exampleId('apiKeyId'))
  const createdAt = new Date(now.getTime() - 91 * 86_400_000)
  await db.apiKeySecret.updateMany({ where: { apiKeyId }, data: { createdAt } })
  await emitRotationDue(parts)
  await db.apiKeySecret.updateMany({
    where: { apiKeyId },
    data: { createdAt: new Date(now.getTime() - 85 * 86_400_000) },
  })
  await db.apiKey.updateMany({
    where: { id: apiKeyId },
    data: { createdAt, expiresAt: new Date(now.getTime() + 6 * 86_400_000) },
  })
  await emitExpiring(parts)
  await db.keyDenial.create({ data: { workspaceId, apiKeyId, since: now, count: 140 } })
  await emitDenied(parts)
  ids.set(await make(world, 'jobs'), exampleId('jobId'))
  const bySystem = eventCatalogue.filter((event) => event.bySystem)
  const ofSystem = { emits: bySystem }
  const wanted = async () => {
    await recordEvents(ofSystem, world, before, calledAt, recorded)
    return bySystem.every(({ type }) => recorded.events[type] !== undefined)
  }
  await eventually(wanted, 'the events of the product itself')
}
