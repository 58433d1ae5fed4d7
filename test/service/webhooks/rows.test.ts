// Which keys a webhook may name as ignored.
import { expect, test } from 'vitest'
import { assertKeys } from '../../../service/webhooks/rows.ts'
import { onPostgres } from '../../support/database-engines.ts'
import { keyId as calling, principalWith } from '../../support/principal-headers.ts'
import { sharedService, type WorkspaceInService } from '../quiet-service.ts'

const body = (...ignoredKeyIds: string[]) => ({
  name: 'Sync',
  url: 'https://example.com/hook',
  eventTypes: ['projects.*'],
  ignoredKeyIds,
})

const keyIn = async ({ settings }: WorkspaceInService): Promise<string> =>
  (await settings('POST', '/api-keys', { name: 'Sync', scopes: ['projects:read'] })).body.id

onPostgres(() => {
  const newWorkspace = sharedService('postgres')

  test('the calling key is `me`; a key of the workspace goes by its id, and stays when it is revoked', async () => {
    const service = await newWorkspace()
    const own = await keyIn(service)
    const { status, body: made } = await service.call('POST', '/webhooks', body('me', own))
    await service.settings('POST', `/api-keys/${own}/revoke`)

    const renamed = await service.call('PATCH', `/webhooks/${made.id}`, { ignoredKeyIds: [own] })
    const none = await service.call('PATCH', `/webhooks/${made.id}`, { ignoredKeyIds: [] })

    expect([status, made.ignoredKeyIds]).toEqual([201, [calling, own]])
    expect(renamed).toMatchObject({ status: 200, body: { ignoredKeyIds: [own] } })
    expect(none).toMatchObject({ status: 200, body: { ignoredKeyIds: [] } })
  })

  test('a key that the workspace does not have is refused by its place, and `me` where no key calls', async () => {
    const service = await newWorkspace()
    const own = await keyIn(service)

    const missing = await service.call('POST', '/webhooks', body(own, '0190b000-0000-7000-8000-00000000dead'))
    const nobody = await service.settings('POST', '/webhooks', body('me'))
    const nameless = await service.call('POST', '/webhooks', body('sync'))

    const errors = [{ pointer: '/ignoredKeyIds/1', code: 'not_found' }]
    expect(missing).toMatchObject({ status: 422, body: { code: 'reference_not_found', errors } })
    const malformed = { code: 'validation_failed', errors: [{ pointer: '/ignoredKeyIds/0' }] }
    expect([nobody, nameless]).toMatchObject([
      { status: 422, body: malformed },
      { status: 422, body: malformed },
    ])
  })

  test('the key that calls may be named, row or not; a person who calls is no key', async () => {
    const { db, workspaceId } = await newWorkspace()
    const named = (kind: 'api_key' | 'member') =>
      assertKeys({ db, workspaceId, principal: principalWith({ kind, workspaceId }) }, [calling])

    await expect(named('api_key')).resolves.toBeUndefined()
    await expect(named('member')).rejects.toMatchObject({ code: 'reference_not_found' })
  })
})
