// Which answers are kept for a repeated request: those that it would always get.
import { describe, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { scopes } from '#contract/scopes.ts'
import { idempotentRequest } from '../../../service/execution/idempotency.ts'
import { canonicalHash } from '../../../service/text/json.ts'
import { services } from '../../support/services.ts'
import { quietService } from '../quiet-service.ts'

const project = { name: 'x' }
const webhook = { name: 'w', url: 'https://example.com/hook', eventTypes: ['projects.*'] }

describe.skipIf(services().postgres === null)('on postgres', () => {
  test.each([
    ['the scope of the operation', '/projects', project, ['projects:read']],
    ['a scope that only its input asks for', '/webhooks', webhook, ['webhooks:write']],
  ])('a call that lacks %s is judged anew once the key was given it', async (_what, path, body, held) => {
    await using service = await quietService('postgres')
    const send = (by: readonly string[]) => service.call('POST', path, body, by, { 'idempotency-key': 'once' })

    const refused = await send(held)
    expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect(await service.db.idempotencyRecord.count()).toBe(0)

    const taken = await send(scopes)
    expect(taken).toMatchObject({ status: 201 })
    expect(await send(scopes)).toEqual(taken)
    // What was answered to somebody who might have it is not given to one who may not.
    expect((await send(held)).status).toBe(403)
  })

  const once = { 'idempotency-key': 'once' }

  test('a PATCH with a key acts once, whatever happens in between, and with other content is another request', async () => {
    await using service = await quietService('postgres')
    const { body } = await service.call('POST', '/projects', project)
    const rename = (name: string, headers = {}) =>
      service.call('PATCH', `/projects/${body.id}`, { name }, scopes, headers)

    const first = await rename('a', once)
    await rename('b')
    const second = await rename('a', once)

    expect(first).toMatchObject({ status: 200, body: { name: 'a', version: 2 } })
    expect(second).toEqual(first)
    expect(await service.call('GET', `/projects/${body.id}`)).toMatchObject({ body: { name: 'b', version: 3 } })
    expect(await rename('c', once)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  })

  test('a PUT with a key is answered as the first time: 201 where it made the object', async () => {
    await using service = await quietService('postgres')
    const put = (headers: object) =>
      service.call('PUT', '/projects/by-external-id/erp/1', project, scopes, { ...headers })

    const first = await put(once)

    expect(first.status).toBe(201)
    expect(await put(once)).toEqual(first)
    expect(await put({})).toMatchObject({ status: 200, body: first.body })
  })

  test('a DELETE with a key is done once: what was restored since stays', async () => {
    await using service = await quietService('postgres')
    const { body } = await service.call('POST', '/projects', project)
    const remove = () => service.call('DELETE', `/projects/${body.id}`, undefined, scopes, once)

    const first = await remove()
    await service.call('POST', `/projects/${body.id}/restore`)

    expect(first.status).toBe(204)
    expect((await remove()).status).toBe(204)
    expect(await service.call('GET', `/projects/${body.id}`)).toMatchObject({ status: 200, body: { deletedAt: null } })
  })

  test('another If-Match makes another request, and a condition that does not hold is judged again', async () => {
    await using service = await quietService('postgres')
    const { body } = await service.call('POST', '/projects', project)
    const rename = (etag: string) =>
      service.call('PATCH', `/projects/${body.id}`, { name: 'a' }, scopes, { ...once, 'if-match': etag })

    const refused = await rename('"2"')
    const done = await rename('"1"')

    expect(refused).toMatchObject({ status: 412, body: { code: 'version_mismatch' } })
    expect(done).toMatchObject({ status: 200, body: { version: 2 } })
    expect(await rename('"1"')).toEqual(done)
    expect(await rename('"2"')).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  })

  test('what is wrong with a patch is answered alike, and a read takes a key without keeping anything', async () => {
    await using service = await quietService('postgres')
    const { body } = await service.call('POST', '/projects', project)
    const patch = () => service.call('PATCH', `/projects/${body.id}`, { name: '' }, scopes, once)

    expect(await patch()).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect((await patch()).status).toBe(422)
    await service.call('GET', `/projects/${body.id}`, undefined, scopes, once)
    expect(await service.db.idempotencyRecord.count()).toBe(1)
  })

  test('a call without conditions is known by its input alone, as releases know it that run beside this one', async () => {
    await using service = await quietService('postgres')

    await service.call('POST', '/projects', project, scopes, once)

    const [row] = await service.db.idempotencyRecord.findMany()
    expect(Buffer.from(row!.fingerprint)).toEqual(canonicalHash(project))
  })
})

const alone = operations.filter(({ ownTransactions }) => ownTransactions)

test.each(alone.map((each) => [each.name, each] as const))(
  '%s keeps no answer, and refuses a key by name',
  (_name, operation) => {
    const principal = { id: 'x', workspaceId: null, scopes: [] } as never
    const request = { operation, input: {}, principal }

    expect(idempotentRequest(request)).toBeNull()
    expect(() => idempotentRequest({ ...request, idempotencyKey: 'once' })).toThrow('takes no Idempotency-Key')
  },
)
