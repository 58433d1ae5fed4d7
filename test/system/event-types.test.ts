// Every recorded event fits the schema that the catalogue of event types gives for it, and no more than that.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { eventCatalogue, operations } from '#contract/api.ts'
import { methodOf, pathOf, type Operation } from '#contract/operation.ts'
import { parameterNames } from '#contract/route-paths.ts'
import { scopes } from '#contract/scopes.ts'
import { deniedCallsMin } from '#contract/alarms.ts'
import { emitDenied, emitExpiring } from '../../service/alarms/due-keys.ts'
import { emitRotationDue } from '../../service/keys/api-keys/rotation-due.ts'
import { tellDeadLetters } from '../../service/webhooks/dead-letters.ts'
import { disableGivenUp, warnOfFailing } from '../../service/webhooks/failing.ts'
import { requestOf } from '../support/arbitrary/http-request.ts'
import { changeDeps } from '../support/change-deps.ts'
import { eventually } from '../support/eventually.ts'
import { sample, sampleInput } from '../support/sample-value.ts'
import { uploadedFile } from '../support/uploaded-file.ts'
import { modes, must, startSystem, type Answer, type System, type Tenant } from '../support/system.ts'

type Kind = { readonly type: string; readonly summary: string; readonly scope: string; readonly schema: object }
type Recorded = { readonly type: string; readonly data: object }
type Ids = Record<string, string>

async function feed(tenant: Tenant, after = 0): Promise<Recorded[]> {
  const page = must(await tenant.settings('GET', `/events?after=${after}&limit=200`))
  return page.hasMore ? [...page.data, ...(await feed(tenant, page.lastSequence))] : page.data
}

/** What happens to an object in the course of its life, in an order that is possible. */
const course =
  'create-comment update-comment delete-comment update test archive unarchive merge rotate delete restore remove revoke'

async function live(system: System, tenant: Tenant, segment: string): Promise<void> {
  const ofSegment = operations.filter(({ name, http }) => name.startsWith(`${segment}.`) && http.includes('/{id}'))
  const id = ofSegment[0] && (await tenant.make(ofSegment[0]))
  if (id === undefined) return
  const ids: Ids = { id }
  for (const action of course.split(' ')) {
    const operation = ofSegment.find(({ name }) => name === `${segment}.${action}`)
    if (operation === undefined) continue
    const made = must(await call(system, tenant, operation, ids))
    if (action === 'create-comment') ids['commentId'] = made.id
    if (action === 'delete-comment')
      must(await tenant.api('POST', `/api/v1/comments/${String(ids['commentId'])}/restore`))
  }
}

async function call({ operator }: System, tenant: Tenant, operation: Operation, ids: Ids): Promise<Answer> {
  const { properties } = operation.input
  const name = ['name', 'title', 'body'].find((each) => each in properties) ?? ''
  const renamed = methodOf(operation) === 'PATCH' && { [name]: sample(properties[name] ?? {}) }
  const inPath = Object.fromEntries(parameterNames(pathOf(operation)).map((each) => [each, ids[each] ?? '']))
  const input = { ...sampleInput(operation.input), ...(await tenant.references(operation)), ...renamed, ...inPath }
  const audience = operation.audiences.includes('api') ? 'api' : 'settings'
  const { method, url, payload } = requestOf(operation, input, audience, tenant.workspaceId)
  return audience === 'api' ? tenant.api(method, url, payload) : operator(method, url, payload)
}

/** Files are uploaded, and held until they are judged. */
async function holdFiles({ operator, url }: System, tenant: Tenant): Promise<void> {
  must(await operator('PATCH', `/settings/api/workspaces/${tenant.workspaceId}`, { holdFiles: true }))
  for (const verdict of ['release', 'quarantine']) {
    const id = await uploadedFile({ api: tenant.api, url })
    must(await tenant.api('POST', `/api/v1/files/${id}/${verdict}`))
  }
}

/** What the product records by itself. */
async function actAlone({ db }: System, tenant: Tenant): Promise<void> {
  const parts = changeDeps(db)
  const { workspaceId } = tenant
  const hook = { name: 'R', url: 'http://127.0.0.1:1024/', eventTypes: ['projects.*'] }
  const { id: webhookId } = must(await tenant.settings('POST', '/webhooks', hook))
  const at = new Date()
  const failing = { consecutiveFailures: 10, failingSince: at, warnedPercent: 50 }
  await db.webhookHealth.create({ data: { workspaceId, webhookId, ...failing } })
  await warnOfFailing(parts)
  await db.webhookHealth.updateMany({ where: { webhookId }, data: { goneAt: at, goneReason: 'gone' } })
  await disableGivenUp(parts)
  const dead = { workspaceId, webhookId, deliveryId: webhookId, at, errorCode: 'timeout' }
  await db.untoldDeadLetter.create({ data: dead })
  await tellDeadLetters(parts)
  const { keyId } = await tenant.key(['projects:read'], { rotationPolicy: { maxAgeDays: 1 } })
  await db.apiKeySecret.updateMany({ where: { apiKeyId: keyId }, data: { createdAt: new Date(0) } })
  await emitRotationDue(parts)
  const { keyId: leaving } = await tenant.key(['projects:read'], { expiresAt: inAnHour() })
  const { keyId: aging } = await tenant.key(['projects:read'], { rotationPolicy: { maxAgeDays: 90 } })
  const longAgo = { createdAt: new Date(at.getTime() - 89 * 86_400_000) }
  await db.apiKey.updateMany({ where: { id: { in: [leaving, aging] } }, data: longAgo })
  await db.apiKeySecret.updateMany({ where: { apiKeyId: { in: [leaving, aging] } }, data: longAgo })
  await emitExpiring(parts)
  await db.keyDenial.create({ data: { workspaceId, apiKeyId: leaving, since: at, count: deniedCallsMin } })
  await emitDenied(parts)
}

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString()

test('any key is shown every event type, with its scope and a schema that its records fit, and nothing beyond them', async () => {
  await using system = await startSystem(modes.at(-1) ?? 'standalone')
  const tenant = await system.tenant()
  const poor = await tenant.key(['deliveries:read'])
  const segments = new Set(eventCatalogue.map(({ type }) => type.split('.')[0] ?? ''))
  segments.delete('workspaces')
  for (const segment of segments) await live(system, tenant, segment)
  await holdFiles(system, tenant)
  await actAlone(system, tenant)
  // A sandbox is made as one otherwise. Its reset comes last: it removes what is there.
  await system.db.workspace.update({ where: { id: tenant.workspaceId }, data: { sandbox: true } })
  must(await tenant.api('POST', '/api/v1/workspaces/current/reset'))

  const kinds: Kind[] = must(await poor.api('GET', '/api/v1/event-types')).data
  // A job ends when its turn has come.
  const told = (type: string) => feed(tenant).then((events) => events.some((event) => event.type === type))
  await eventually(() => told('jobs.finished'), 'the end of the job')
  // Keys are looked at in parts, by whoever has the turn.
  await eventually(() => told('api-keys.stopping'), 'the key that a policy stops soon')
  const recorded = await feed(tenant)

  const types = eventCatalogue.map(({ type }) => type)
  expect(kinds.map(({ type }) => type)).toEqual(types)
  for (const { type, summary, scope, schema } of kinds) {
    expect([scopes.some((each) => each === scope), summary]).toEqual([true, expect.stringMatching(/./)])
    expect(schema).toMatchObject({ title: type, type: 'object', additionalProperties: false })
  }
  // Formats say nothing of shape, and some are ours.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true })
  const validators = new Map(kinds.map(({ type, schema }) => [type, ajv.compile(schema)]))
  for (const event of recorded) {
    const validate = validators.get(event.type)
    expect([event.type, validate?.(event), validate?.errors]).toEqual([event.type, true, null])
    expect(validate?.({ ...event, data: { ...event.data, surprise: 1 } }), event.type).toBe(false)
    expect(validate?.({ ...event, type: 'another' }), event.type).toBe(false)
  }
  const seen = new Set(recorded.map(({ type }) => type))
  expect(types.filter((type) => !seen.has(type))).toEqual([])
})
