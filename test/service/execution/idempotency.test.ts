// Which answers are kept for a repeated request: those that it would always get, and for how long.
import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import type { Method } from '#contract/operation.ts'
import { scopes } from '#contract/scopes.ts'
import { keyring } from '#runtime/keyring.ts'
import { deleteOutdatedAnswers, idempotentRequest } from '../../../service/execution/idempotency.ts'
import { canonicalHash } from '../../../service/text/json.ts'
import { onPostgres } from '../../support/database-engines.ts'
import { sharedService } from '../quiet-service.ts'

const project = { name: 'x' }
const webhook = { name: 'w', url: 'https://example.com/hook', eventTypes: ['projects.*'] }
const ofThisTest = { internalSecret: randomBytes(32).toString('hex') }
const once = { 'idempotency-key': 'once' }
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

onPostgres(() => {
  const newWorkspace = sharedService('postgres')

  async function given() {
    const { workspaceId, call, db } = await newWorkspace()
    const where = { workspaceId }
    return {
      db,
      call,
      kept: () => db.idempotencyRecord.findMany({ where }),
      ages: (ms: number) => db.idempotencyRecord.updateMany({ where, data: { createdAt: new Date(Date.now() - ms) } }),
      create: (headers: Record<string, string> = once) => call('POST', '/projects', project, scopes, headers),
    }
  }
  /** With a project, and calls of it that have the key. */
  async function withProject() {
    const service = await given()
    const { body } = await service.create({})
    const path = `/projects/${body.id}`
    return {
      ...service,
      path,
      read: () => service.call('GET', path),
      repeat: (method: Method, input?: object, more = {}) =>
        service.call(method, path, input, scopes, { ...once, ...more }),
    }
  }

  test('an answer that another service has sealed by a key that this one lacks is to be asked for again', async () => {
    const { create, db, kept } = await given()
    const first = await create()
    const sealedElsewhere = keyring([{ id: 'new', key: createSecretKey(randomBytes(32)) }], ofThisTest, 'all')
    const [row] = await kept()
    const { callerId, workspaceId, operation, key } = row ?? { callerId: '', workspaceId: '', operation: '', key: '' }
    const id = { callerId, workspaceId, operation, key }
    const data = { sealedBody: sealedElsewhere.seal('{}', JSON.stringify(id)) }
    await db.idempotencyRecord.update({ where: { callerId_workspaceId_operation_key: id }, data })

    const again = await create()

    expect(first.status).toBe(201)
    expect(again).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  })

  test.each([
    ['the scope of the operation', '/projects', project, ['projects:read']],
    ['a scope that only its input asks for', '/webhooks', webhook, ['webhooks:write']],
  ])('a call that lacks %s is judged anew once the key was given it', async (_what, path, body, held) => {
    const { call, kept } = await given()
    const send = (by: readonly string[]) => call('POST', path, body, by, once)

    expect(await send(held)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect(await kept()).toEqual([])

    const taken = await send(scopes)
    expect(taken).toMatchObject({ status: 201 })
    expect(await send(scopes)).toEqual(taken)
    // What was answered to somebody who might have it is not given to one who may not.
    expect((await send(held)).status).toBe(403)
  })

  test('a PATCH, PUT or DELETE with a key acts once and is answered as the first time, whatever happens in between', async () => {
    const { call, path, read, repeat } = await withProject()
    const put = (headers = {}) => call('PUT', '/projects/by-external-id/erp/1', project, scopes, headers)
    const [patched, made] = [await repeat('PATCH', { name: 'a' }), await put(once)]

    await call('PATCH', path, { name: 'b' })

    expect(patched).toMatchObject({ status: 200, body: { name: 'a', version: 2 } })
    expect(await repeat('PATCH', { name: 'a' })).toEqual(patched)
    expect(await read()).toMatchObject({ body: { name: 'b', version: 3 } })
    expect(made.status).toBe(201)
    expect(await put(once)).toEqual(made)
    expect(await put()).toMatchObject({
      status: 200,
      body: { ...made.body, outcome: 'unchanged', matchedBy: 'externalId' },
    })
    expect((await repeat('DELETE')).status).toBe(204)
    await call('POST', `${path}/restore`)
    expect((await repeat('DELETE')).status).toBe(204)
    expect(await read()).toMatchObject({ status: 200, body: { deletedAt: null } })
  })

  test('other content or another If-Match makes another request, and a condition that does not hold is judged again', async () => {
    const { repeat } = await withProject()
    const rename = (etag: string, name = 'a') => repeat('PATCH', { name }, { 'if-match': etag })

    const [refused, done] = [await rename('"2"'), await rename('"1"')]

    expect(refused).toMatchObject({ status: 412, body: { code: 'version_mismatch' } })
    expect(done).toMatchObject({ status: 200, body: { version: 2 } })
    expect(await rename('"1"')).toEqual(done)
    for (const other of [await rename('"2"'), await rename('"1"', 'c')])
      expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  })

  test('what is wrong with a patch is answered alike, and a read takes a key without keeping anything', async () => {
    const { kept, repeat } = await withProject()

    for (const _again of [1, 2])
      expect(await repeat('PATCH', { name: '' })).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect((await repeat('GET')).status).toBe(200)
    expect(await kept()).toHaveLength(1)
  })

  test('a request that is repeated within a day gets the first answer, and one that comes later is a new one', async () => {
    const { db, create, ages, kept } = await given()
    const first = await create()
    // Without conditions it is known by its input alone, as releases know it that run beside this one.
    expect(Buffer.from((await kept())[0]!.fingerprint)).toEqual(canonicalHash(project))

    await ages(dayMs - minuteMs)
    expect(await deleteOutdatedAnswers(db, new Date())).toBe(0)
    expect(await create()).toEqual(first)

    await ages(dayMs + minuteMs)
    const later = await create()
    expect([later.status, later.body.id === first.body.id]).toEqual([201, false])

    await ages(dayMs + minuteMs)
    expect(await deleteOutdatedAnswers(db, new Date())).toBe(1)
  })
})

test('an operation with transactions of its own keeps no answer, and refuses a key by name', () => {
  const alone = operations.filter(({ ownTransactions }) => ownTransactions)
  const principal = { id: 'x', workspaceId: null, scopes: [] } as never

  expect(alone).not.toEqual([])
  for (const operation of alone) {
    const request = { operation, input: {}, principal }
    expect(idempotentRequest(request)).toBeNull()
    expect(() => idempotentRequest({ ...request, idempotencyKey: 'once' })).toThrow(
      'does not accept an Idempotency-Key',
    )
  }
})
