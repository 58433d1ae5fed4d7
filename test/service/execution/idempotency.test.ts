// Which answers are kept for a repeated request: those that it would always get.
import { describe, expect, test } from 'vitest'
import { scopes } from '#contract/scopes.ts'
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

  test('the header counts on a POST alone: the other methods are idempotent without it', async () => {
    await using service = await quietService('postgres')
    const headers = { 'idempotency-key': 'once' }
    const { body } = await service.call('POST', '/projects', project)
    const rename = (name: string) => service.call('PATCH', `/projects/${body.id}`, { name }, scopes, headers)

    expect(await rename('a')).toMatchObject({ status: 200, body: { name: 'a', version: 2 } })
    expect(await rename('b')).toMatchObject({ status: 200, body: { name: 'b', version: 3 } })
    expect(await service.db.idempotencyRecord.count()).toBe(0)
  })
})
