// What gateways ask for when they refresh the keys that they know: many in one question.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { internalPaths, keysPerQuestionMax, type KeyRecords } from '#contract/internal/gateway-endpoints.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { tokenHash } from '#runtime/bearer-tokens.ts'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import { secretOfTests } from '../../../dispatcher/stage.ts'
import { principalHeaders } from '../../../support/principal-headers.ts'
import { quietService, type QuietService } from '../../quiet-service.ts'

const gateway: Principal = {
  kind: 'gateway',
  id: 'gateway',
  name: 'gateway',
  workspaceId: null,
  scopes: [],
  surface: 'internal',
  requestId: 'r',
  clientAddress: '',
  quota: null,
}
const unknown = (): string => randomBytes(32).toString('hex')

let service: QuietService
beforeAll(async () => {
  service = await quietService('pglite')
})
afterAll(() => service[Symbol.asyncDispose]())

async function ask(body: object, as = gateway) {
  const url = internalPaths.keysByHash
  const headers = principalHeaders(deriveKey(secretOfTests, 'principal'), as, 'POST', url)
  const answer = await service.app.inject({ method: 'POST', url, headers, body })
  return { status: answer.statusCode, body: answer.json<KeyRecords & { code?: string }>() }
}
async function makeKey(name: string): Promise<{ id: string; hash: string }> {
  const { body } = await service.settings('POST', '/api-keys', { name, scopes: ['projects:read'] })
  return { id: body.id, hash: tokenHash(body.secret).toString('hex') }
}

test('records come in the order of their hashes, the same as one by one, and null for a hash of no key', async () => {
  const [first, second] = [await makeKey('first'), await makeKey('second')]
  const alone = async (hash: string) => {
    const url = `${internalPaths.keyByHash}/${hash}`
    const headers = principalHeaders(deriveKey(secretOfTests, 'principal'), gateway, 'GET', url)
    return (await service.app.inject({ method: 'GET', url, headers })).json<object>()
  }

  const { status, body } = await ask({ hashes: [second.hash, unknown(), first.hash] })

  expect(status).toBe(200)
  expect(body.keys).toEqual([await alone(second.hash), null, await alone(first.hash)])
  expect(body.keys.map((record) => record?.id)).toEqual([second.id, undefined, first.id])
})

test('a question for too many keys, or for what is no hash, is refused', async () => {
  const many = Array.from({ length: keysPerQuestionMax + 1 }, unknown)
  expect(await ask({ hashes: many.slice(1) })).toMatchObject({ status: 200 })
  for (const body of [
    { hashes: many },
    { hashes: ['x'] },
    { hashes: [unknown().toUpperCase()] },
    {},
    { hash: many[0] },
  ])
    expect(await ask(body)).toMatchObject({ body: { code: 'validation_failed' } })
})

test('nobody but a gateway may ask', async () => {
  expect(await ask({ hashes: [] }, { ...gateway, kind: 'operator' })).toMatchObject({ status: 404 })
})
