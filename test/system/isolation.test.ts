// One workspace cannot see or touch what is in another, wherever in a call its ids are put: asked of every operation.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import type { Audience, Operation } from '#contract/operation.ts'
import { parameterNames } from '#contract/route-paths.ts'
import { requestOf } from '../support/arbitrary/http-request.ts'
import { missingId } from '../support/client.ts'
import { foreignObjects, mark, type Foreign } from '../support/foreign-objects.ts'
import { idPlaces, type Place } from '../support/input-pointers.ts'
import { sampleInput } from '../support/sample-value.ts'
import { modes, must, startSystem, type Answer, type System, type Tenant } from '../support/system.ts'

const ofWorkspace = operations.filter(({ tenancy }) => tenancy === 'workspace')
const places = ofWorkspace.flatMap((operation) =>
  idPlaces(operation.input).map((place): [string, Operation, Place] => [
    `${operation.name} ${place.pointer}`,
    operation,
    place,
  ]),
)

// The statements are the same in every mode: the real servers where they are, else the embedded parts.
describe.each(modes.slice(-1))('in every operation, %s', (mode) => {
  let system: System
  let tenant: Tenant
  let other: Tenant
  let foreign: Foreign[]
  let theirSequence: number
  beforeAll(async () => {
    system = await startSystem(mode)
    tenant = await system.tenant()
    // Some operations are of sandboxes alone.
    await system.db.workspace.update({ where: { id: tenant.workspaceId }, data: { sandbox: true } })
    other = await system.tenant()
    foreign = await foreignObjects(other)
    theirSequence = await other.lastSequence()
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  test.each(places)(
    '%s: ids of another workspace are answered like ids that do not exist',
    async (_name, operation, place) => {
      const field = fieldOf(place)
      const own = await inputFor(operation, tenant, place)
      const ask = async (id: string) => {
        const given = (place.inputWith(id) as Record<string, unknown>)[field]
        // Each upsert makes an object of its own.
        const ownId = operation.name.endsWith('.upsert') && { externalId: crypto.randomUUID() }
        const answer = await answered(() => send(tenant, operation, { ...own, ...ownId, [field]: given }))
        // A workspace has a limited number of webhooks.
        if (operation.name === 'webhooks.create' && answer.status === 201)
          must(await tenant.api('DELETE', `/api/v1/webhooks/${answer.body.id}`))
        return answer
      }
      const compared = (answer: Answer) => comparable(operation, answer)
      const none = compared(await ask(missingId))
      // It is the id that is refused, if anything.
      const isOfId = none.code === 'reference_not_found' || JSON.stringify(none.errors ?? '').includes('"not_found"')
      expect(none.status < 300 || none.status === 404 || isOfId, JSON.stringify(none)).toBe(true)

      const answers = await Promise.all(foreign.map(async ({ kind, id }) => ({ kind, answer: await ask(id) })))

      for (const { kind, answer } of answers) {
        expect(compared(answer), kind).toEqual(none)
        expect(JSON.stringify(answer.body), kind).not.toContain(mark)
      }
      expect(await other.lastSequence()).toBe(theirSequence)
      // Those that stay get a delivery of every further change, which fails and is tried again.
      if (operation.name.startsWith('webhooks.') && typeof own['id'] === 'string')
        await tenant.api('DELETE', `/api/v1/webhooks/${own['id']}`)
    },
  )
})

type Fields = Readonly<Record<string, unknown>>

/** Asks again while a machine that is busy answers 503. */
async function answered(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask()
  for (let again = 0; again < 5 && answer.status === 503; again++) answer = await ask()
  return answer
}

/** A filter may ask for the values of fields of any of their objects. */
const eventTypes = ['projects.*', 'tasks.*', 'crm-entities.*', 'documents.*']

/**
 * What is required, with objects of the tenant's own to act on, so that nothing but the id in question can be refused.
 */
async function inputFor(operation: Operation, tenant: Tenant, place: Place): Promise<Fields> {
  const { taskId, ...others } = await tenant.references(operation)
  // A comment is on one object alone.
  const isElsewhere = ['projectId', 'crmEntityId'].includes(fieldOf(place))
  const references = isElsewhere || taskId === undefined ? others : { ...others, taskId }
  const [{ properties }, field] = [operation.input, fieldOf(place)]
  const kind = operation.name.startsWith('crm-entities.') ? kindTaking(field) : 'company'
  // A second job would have to wait for the first.
  const choices = {
    ...('kind' in properties && { kind }),
    ...('dryRun' in properties && { dryRun: true }),
    ...(operation.name === 'jobs.create' && { kind: 'import', resource: 'projects', format: 'ndjson' }),
    ...(operation.name.startsWith('webhooks.') && 'filter' in properties && { eventTypes }),
  }
  // What else says that somebody is to get the keys of a member.
  const suspended = operation.name === 'members.update' && { status: 'suspended' }
  const transfer = field === 'transferTo' && { keys: 'transfer', ...suspended }
  const { name, ...sampled } = sampleInput(operation.input)
  const required = { ...sampled, ...choices, ...transfer, ...(name !== undefined && called(kind, name)), ...references }
  if (!parameterNames(operation.http).includes('id')) return required
  const id = operation.name === 'crm-entities.update' ? await crmEntity(tenant, kind) : await tenant.make(operation)
  return { ...required, id: id ?? missingId }
}

/** Which kind of CRM entity has the field. */
const kindTaking = (field: string): string =>
  field === 'contactIds' ? 'deal' : field === 'companyId' ? 'contact' : 'company'

/** A contact's name is made of its parts. */
const called = (kind: string, name: unknown): Fields => (kind === 'contact' ? { firstName: name } : { name })

const crmEntity = async (tenant: Tenant, kind: string): Promise<string> =>
  must(await tenant.api('POST', '/api/v1/crm-entities', { kind, ...called(kind, 'x') })).id

const fieldOf = ({ pointer }: Place): string => pointer.split('/')[1] ?? ''

function send(who: Tenant, operation: Operation, input: Fields): Promise<Answer> {
  const audience: Audience = operation.audiences.includes('api') ? 'api' : 'settings'
  const { method, url, headers, payload } = requestOf(operation, input, audience, who.workspaceId)
  if (audience === 'api') return who.api(method, url, payload, { ...headers })
  return who.settings(method, url.slice(url.indexOf(who.workspaceId) + who.workspaceId.length), payload, { ...headers })
}

/**
 * What an answer says, without what differs from call to call. The log of requests has those of the tenant that named
 * these ids, one test after the other.
 */
function comparable({ name }: Operation, { status, body }: Answer) {
  const found = name === 'requests.list' ? null : (body?.data?.length ?? body?.count ?? body?.total ?? null)
  if (status < 300) return { status, code: null, found }
  const { code, errors, detail } = body as Record<string, unknown>
  return { status, code, errors, detail: String(detail).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>') }
}
