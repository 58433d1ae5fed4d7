// The examples of the API descriptions, sent unchanged to an empty system.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operationNamed, operations } from '#contract/api.ts'
import { isOfOperator, methodOf, type Audience, type Operation } from '#contract/operation.ts'
import { parameterNames, pathFor, publicPaths } from '#contract/route-paths.ts'
import { newId } from '#runtime/new-id.ts'
import { describeMode, must, startSystem, type Answer, type System, type Tenant } from '../support/system.ts'
import { bodySchema, takesBody } from '#contract/openapi/request-fields.ts'

const audiences = ['api', 'settings'] as const
const withBody = (audience: Audience) =>
  operations
    .filter(
      (each) =>
        (audience === 'api' ? each.audiences.includes('api') : isOfOperator(each)) &&
        takesBody(each) &&
        Object.keys(bodySchema(each).properties).length > 0,
    )
    .map((each) => [each.name, each] as const)

describeMode('examples', 'standalone', (mode) => {
  let system: System
  const documents = new Map<Audience, Document>()
  beforeAll(async () => {
    system = await startSystem(mode)
    documents.set('api', must(await system.call('GET', publicPaths.json)))
    documents.set('settings', must(await system.call('GET', publicPaths.settings)))
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  const exampleOf = (operation: Operation, audience: Audience): Body => {
    const { requestBody } =
      documents.get(audience)?.paths[pathFor(operation, audience)]?.[methodOf(operation).toLowerCase()] ?? {}
    return requestBody?.content['application/json']?.example
  }

  /** By the example of its creation. */
  const make = async (tenant: Tenant, segment: string): Promise<string> => {
    if (segment === 'email-changes') return await emailChange(tenant)
    const create = operations.find(({ name }) => [`${segment}.create`, `${segment}.add`].includes(name))
    if (create === undefined) throw new Error(`Nothing makes one of ${segment}`)
    return must(await send(tenant, create, create.audiences.includes('api') ? 'api' : 'settings')).id
  }

  /** Of a member of the workspace, who has an account: it waits for the e-mail of the example. */
  async function emailChange(tenant: Tenant): Promise<string> {
    const memberId = await make(tenant, 'members')
    const [id, at] = [newId(), new Date()]
    const { newEmail } = exampleOf(operationNamed('email-changes.confirm'), 'settings')
    // Another example has given it to somebody.
    await system.db.account.updateMany({ where: { email: newEmail }, data: { email: `${newId()}@example.com` } })
    await system.db.account.create({
      data: { id, name: 'Ada', email: `${id}@example.com`, createdAt: at, updatedAt: at },
    })
    await system.db.member.updateMany({
      where: { workspaceId: tenant.workspaceId, id: memberId },
      data: { accountId: id, status: 'active' },
    })
    await waitsFor(id, newEmail)
    return memberId
  }

  /** The account that the example names; it waits for the new e-mail where the example names one. */
  async function giveAccount({ email, newEmail }: Body): Promise<void> {
    const [id, at] = [newId(), new Date()]
    await system.db.account.deleteMany({ where: { email: { in: [email, newEmail ?? email] } } })
    await system.db.account.create({ data: { id, name: 'Ada', email, createdAt: at, updatedAt: at } })
    if (newEmail !== undefined) await waitsFor(id, newEmail)
  }

  async function waitsFor(accountId: string, email: string): Promise<void> {
    const [requestedAt, expiresAt] = [new Date(), new Date(Date.now() + 86_400_000)]
    await system.db.emailChange.create({ data: { accountId, email, requestedAt, expiresAt } })
  }

  async function send(tenant: Tenant, operation: Operation, audience: Audience): Promise<Answer> {
    const body = exampleOf(operation, audience)
    for (const [field, segment] of named(body)) await giveId(tenant, segment, field)
    const [segment = ''] = operation.name.split('.')
    if (segment === 'accounts') await giveAccount(body)
    const path = pathFor(operation, audience)
    const id = path.includes('/{id}') ? await make(tenant, segment) : ''
    const commentId = path.includes('{commentId}') ? await comment(tenant, segment, id) : ''
    const values: Record<string, string> = {
      id,
      commentId,
      workspaceId: tenant.workspaceId,
      source: 'erp',
      externalId: '4711',
    }
    const address = parameterNames(path).reduce((filled, name) => filled.replace(`{${name}}`, values[name] ?? ''), path)
    const call = audience === 'api' ? tenant.api : system.operator
    return call(methodOf(operation), address, body)
  }

  const comment = async (tenant: Tenant, segment: string, id: string): Promise<string> =>
    must(await tenant.api('POST', `/api/v1/${segment}/${id}/comments`, { body: 'x' })).id

  /** The workspace gets an object with the id that stands in the example. */
  async function giveId(tenant: Tenant, segment: Segment, id: string): Promise<void> {
    const made = await make(tenant, segment)
    const { workspaceId } = tenant
    if (segment === 'projects') await system.db.project.updateMany({ where: { workspaceId, id: made }, data: { id } })
    else if (segment === 'members')
      await system.db.member.updateMany({ where: { workspaceId, id: made }, data: { id } })
    else await system.db.crmEntity.updateMany({ where: { workspaceId, id: made }, data: { id } })
  }

  describe.each(audiences)('of the %s', (audience) => {
    test.each(withBody(audience))('%s succeeds', async (_name, operation) => {
      const tenant = await system.tenant()

      const { status, body } = await send(tenant, operation, audience)

      expect([status, body]).toEqual([operation.creates ? 201 : operation.success, body])
      for (const result of body?.results ?? []) expect(result).toMatchObject({ status: 201 })
    })
  })

  test('a key that is rotated by the example keeps its old secret for the overlap', async () => {
    const tenant = await system.tenant()

    for (const name of ['me.rotate', 'webhooks.rotate-secret']) {
      const operation = operations.find((each) => each.name === name)!
      const rotated = must(await send(tenant, operation, 'api'))

      expect(JSON.stringify(rotated)).toMatch(/"(?:previousSecretExpiresAt|expiresAt)":"2/)
    }
    expect((await tenant.api('GET', '/api/v1/me')).status).toBe(200)
  })

  test('the example of replaying many deliveries is a dry run over dead-lettered ones', async () => {
    const tenant = await system.tenant()
    const operation = operations.find(({ name }) => name === 'deliveries.replay-many')!

    const answer = must(await send(tenant, operation, 'api'))

    expect(answer).toMatchObject({ object: 'replay_estimate', filter: { status: ['dead_letter'] } })
  })
})

// oxlint-disable-next-line typescript/no-explicit-any
type Body = any
type Segment = 'projects' | 'crm-entities' | 'members'
type Entry = { readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: Body }>> } }
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Entry>>>> }

/** What the body names, at any depth, by id. */
function named(body: Body): [string, Segment][] {
  const segments = { projectId: 'projects', sourceId: 'crm-entities', memberId: 'members' } as const
  const found = Array.from(JSON.stringify(body ?? null).matchAll(/"(\w+Id)":"([0-9a-f-]{36})"/g), ([, field, id]) => [
    id,
    field,
  ])
  return Array.from(new Map(found as [string, keyof typeof segments][]), ([id, field]) => [id, segments[field]])
}
