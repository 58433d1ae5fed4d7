// Which keys a webhook may name as ignored.
import { expect, test } from 'vitest'
import { assertKeys } from '../../../service/webhooks/rows.ts'
import { keyId as calling, quietService, type QuietService } from '../quiet-service.ts'

const body = (...ignoredKeyIds: string[]) => ({
  name: 'Sync',
  url: 'https://example.com/hook',
  eventTypes: ['projects.*'],
  ignoredKeyIds,
})

const keyIn = async ({ settings }: QuietService): Promise<string> =>
  (await settings('POST', '/api-keys', { name: 'Sync', scopes: ['projects:read'] })).body.id

test('the calling key is `me`; a key of the workspace goes by its id, and stays when it is revoked', async () => {
  await using service = await quietService('postgres')
  const own = await keyIn(service)
  const { status, body: made } = await service.call('POST', '/webhooks', body('me', own))
  await service.settings('POST', `/api-keys/${own}/revoke`)

  const renamed = await service.call('PATCH', `/webhooks/${made.id}`, { ignoredKeyIds: [own] })
  const none = await service.call('PATCH', `/webhooks/${made.id}`, { ignoredKeyIds: [] })

  expect([status, made.ignoredKeyIds]).toEqual([201, [calling, own]])
  expect([renamed.status, renamed.body.ignoredKeyIds]).toEqual([200, [own]])
  expect([none.status, none.body.ignoredKeyIds]).toEqual([200, []])
})

test('a key that the workspace does not have is refused by its place, and `me` where no key calls', async () => {
  await using service = await quietService('postgres')
  const own = await keyIn(service)
  const unknown = '0190b000-0000-7000-8000-00000000dead'

  const missing = await service.call('POST', '/webhooks', body(own, unknown))
  const nobody = await service.settings('POST', '/webhooks', body('me'))
  const nameless = await service.call('POST', '/webhooks', body('sync'))

  expect(missing).toMatchObject({
    status: 422,
    body: { code: 'reference_not_found', errors: [{ pointer: '/ignoredKeyIds/1', code: 'not_found' }] },
  })
  for (const refused of [nobody, nameless])
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer: '/ignoredKeyIds/0' }] },
    })
})

test.each([
  ['the key that calls may be named, row or not', 'api_key', 'fine'],
  ['a person who calls is no key', 'member', 'reference_not_found'],
] as const)('%s', async (_rule, kind, outcome) => {
  await using service = await quietService('postgres')
  const principal = {
    kind,
    id: calling,
    name: 'Ada',
    workspaceId: service.workspaceId,
    scopes: [],
    surface: 'settings' as const,
    requestId: 'r',
    clientAddress: '127.0.0.1',
    quota: null,
  }
  const asserted = assertKeys({ db: service.db, workspaceId: service.workspaceId, principal }, [calling])
  expect(
    await asserted.then(
      () => 'fine',
      (refused: { code: string }) => refused.code,
    ),
  ).toBe(outcome)
})
