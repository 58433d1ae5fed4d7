// Every recorded event fits the schema that the catalogue of event types gives for it.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { eventCatalogue, operations } from '#contract/api.ts'
import { methodOf, pathOf, type Operation } from '#contract/operation.ts'
import { pathFor } from '#contract/route-paths.ts'
import { scopes } from '#contract/scopes.ts'
import { emitRotationDue } from '../../service/keys/api-keys/rotation-due.ts'
import { changeDeps } from '../support/change-deps.ts'
import { disableGivenUp, warnOfFailing } from '../../service/webhooks/failing.ts'
import { tellDeadLetters } from '../../service/webhooks/dead-letters.ts'
import { sample } from '../support/sample-value.ts'
import { modes, must, sharedSystem, startSystem, type Answer, type System, type Tenant } from '../support/system.ts'

type Kind = { readonly type: string; readonly summary: string; readonly scope: string; readonly schema: object }
type Recorded = { readonly type: string; readonly data: { readonly id: string } }

const catalogueOf = async (tenant: Tenant): Promise<Kind[]> => must(await tenant.api('GET', '/api/v1/event-types')).data

/** Formats say nothing of shape, and some are ours. */
function validatorsOf(kinds: readonly Kind[]): Map<string, ValidateFunction> {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true })
  return new Map(kinds.map(({ type, schema }) => [type, ajv.compile(schema)]))
}

async function feed(tenant: Tenant, after: number): Promise<Recorded[]> {
  const page = must(await tenant.settings('GET', `/events?after=${after}&limit=200`))
  return page.hasMore ? [...page.data, ...(await feed(tenant, page.lastSequence))] : page.data
}

/** What happens to an object in the course of its life, in an order that is possible. */
const course = [
  'create-comment',
  'update-comment',
  'delete-comment',
  'update',
  'test',
  'archive',
  'unarchive',
  'merge',
  'rotate',
  'delete',
  'restore',
  'remove',
  'revoke',
]

async function live(tenant: Tenant, segment: string): Promise<void> {
  const ofSegment = operations.filter(({ name, http }) => name.startsWith(`${segment}.`) && http.includes('/{id}'))
  const [any] = ofSegment
  const id = any === undefined ? undefined : await tenant.make(any)
  if (id === undefined) return
  const ids: Ids = { id }
  for (const action of course) {
    const operation = ofSegment.find(({ name }) => name === `${segment}.${action}`)
    if (operation === undefined) continue
    const made = must(await call(tenant, operation, ids))
    if (action === 'create-comment') ids['commentId'] = made.id
  }
}

type Ids = Record<string, string>
const filled = (path: string, ids: Ids): string =>
  path.replaceAll(/\{(\w+)\}/g, (_parameter, name: string) => ids[name] ?? '')

async function call(tenant: Tenant, operation: Operation, ids: Ids): Promise<Answer> {
  const method = methodOf(operation)
  const body = method === 'DELETE' ? undefined : await bodyOf(tenant, operation)
  return operation.audiences.includes('api')
    ? tenant.api(method, filled(pathFor(operation, 'api'), ids), body)
    : tenant.settings(method, filled(pathOf(operation), ids), body)
}

async function bodyOf(tenant: Tenant, operation: Operation): Promise<object> {
  if (methodOf(operation) === 'PATCH') return renamed(operation)
  if ('sourceId' in operation.input.properties) return { sourceId: await tenant.make(operation) }
  return operation.success === 201 ? { body: 'Well done.' } : {}
}

function renamed({ input }: Operation): object {
  const field = ['name', 'title', 'body'].find((each) => each in input.properties) ?? 'name'
  const schema = input.properties[field]
  return { [field]: schema === undefined ? 'Renamed' : sample(schema) }
}

async function actAlone(system: System, tenant: Tenant): Promise<void> {
  const parts = changeDeps(system.db)
  const { workspaceId } = tenant
  const hook = { name: 'R', url: 'http://127.0.0.1:1024/', eventTypes: ['projects.*'] }
  const { id: webhookId } = must(await tenant.settings('POST', '/webhooks', hook))
  await system.db.webhookHealth.create({
    data: { workspaceId, webhookId, consecutiveFailures: 10, failingSince: new Date(), warnedPercent: 50 },
  })
  await warnOfFailing(parts)
  await system.db.webhookHealth.updateMany({ where: { webhookId }, data: { goneAt: new Date(), goneReason: 'gone' } })
  await disableGivenUp(parts)
  const dead = { workspaceId, webhookId, deliveryId: webhookId, at: new Date(), errorCode: 'timeout' }
  await system.db.untoldDeadLetter.create({ data: dead })
  await tellDeadLetters(parts)
  const { keyId } = await tenant.key(['projects:read'], { rotationPolicy: { maxAgeDays: 1 } })
  await system.db.apiKeySecret.updateMany({ where: { apiKeyId: keyId }, data: { createdAt: new Date(0) } })
  await emitRotationDue(parts)
}

test('every recorded event fits the schema that the catalogue gives for its type', async () => {
  await using system = await startSystem(modes.at(-1) ?? 'standalone')
  const tenant = await system.tenant()
  const validators = validatorsOf(await catalogueOf(tenant))
  for (const segment of new Set(eventCatalogue.map(({ type }) => type.split('.')[0] ?? ''))) await live(tenant, segment)
  await actAlone(system, tenant)

  const recorded = await feed(tenant, 0)

  for (const event of recorded) {
    const validate = validators.get(event.type)
    expect([event.type, validate?.(event), validate?.errors]).toEqual([event.type, true, null])
  }
  const seen = new Set(recorded.map(({ type }) => type))
  expect(eventCatalogue.map(({ type }) => type).filter((type) => !seen.has(type))).toEqual([])
})

const shared = sharedSystem('standalone')

test('the catalogue lists every event type with the scope that it needs, to any key', async () => {
  const { system, tenant } = shared
  const poor = await tenant.key(['deliveries:read'])

  const kinds = await catalogueOf(poor)

  expect(kinds.map(({ type }) => type)).toEqual(eventCatalogue.map(({ type }) => type))
  for (const { type, summary, scope, schema } of kinds) {
    expect(scopes).toContain(scope)
    expect(summary).not.toBe('')
    expect(schema).toMatchObject({ title: type, type: 'object', additionalProperties: false })
  }
  expect(await system.operator('GET', '/settings/api/event-types')).toMatchObject({ status: 200 })
})

test('a record of another type, or with unknown fields, does not fit', async () => {
  const { tenant } = shared
  const validators = validatorsOf(await catalogueOf(tenant))
  const [event] = await feed(tenant, 0)

  const own = validators.get(event?.type ?? '')
  expect(own?.(event)).toBe(true)
  expect(own?.({ ...event, data: { ...event?.data, surprise: 1 } })).toBe(false)
  expect(validators.get('projects.created')?.(event)).toBe(false)
})
