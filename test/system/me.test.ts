// What a key can learn of itself, and how it gives itself a new secret.
// Operations: me.get.
import { describe, expect, test } from 'vitest'
import { clientOf } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { describeModes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

const path = '/api/v1/me'
const rotatePath = '/api/v1/me/rotate'

describeModes('me', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  /** By a version under which keys outlived their owners. */
  const removedLongAgo = (id: string) =>
    system.db.member.update({
      where: { workspaceId_id: { workspaceId: tenant.workspaceId, id } },
      data: { deletedAt: new Date() },
    })

  const asSecret = (secret: string, method: string, to: string, body?: unknown, headers = {}): Promise<Answer> =>
    clientOf(system.url, '').call(method, to, body, { authorization: `Bearer ${secret}`, ...headers })
  const allowUnbound = async (...tenants: Tenant[]) => {
    for (const { workspaceId } of tenants) {
      const policy = { apiPolicy: { allowUnboundKeys: true } }
      must(await system.operator('PATCH', `/settings/api/workspaces/${workspaceId}`, policy))
    }
  }
  const codeOf = ({ status, body }: Answer) => `${status} ${body?.code ?? ''}`.trim()

  describe('GET', () => {
    test('shows a bound key its owner, its surfaces and that no workspace must be named', async () => {
      const [owner] = must(await tenant.settings('GET', '/members')).data
      const owned = await tenant.key(['projects:read'], { ownerId: owner.id, surfaces: ['http'] })

      expect(must(await owned.api('GET', path))).toMatchObject({
        apiKey: {
          id: owned.keyId,
          ownerId: owner.id,
          owner: { id: owner.id, name: 'Ada', email: 'ada@example.com', role: 'owner' },
          homeWorkspaceId: tenant.workspaceId,
          surfaces: ['http'],
        },
        scopes: ['projects:read'],
        workspaces: [{ id: tenant.workspaceId, timeZone: 'UTC', defaultCurrency: 'EUR', suspended: false }],
        workspaceSelection: {
          required: false,
          defaultWorkspaceId: tenant.workspaceId,
          header: 'x-workspace-id',
          parameter: 'workspaceId',
        },
      })
    })

    test('shows an unbound key which workspaces it must choose from, and which is suspended', async () => {
      const [home, other] = [await system.tenant(), await system.tenant()]
      await allowUnbound(home, other)
      const unbound = await home.key(['projects:read'], { workspaceIds: [home.workspaceId, other.workspaceId] })
      must(await system.operator('PATCH', `/settings/api/workspaces/${other.workspaceId}`, { suspended: true }))

      const me = must(await unbound.api('GET', path))

      expect(me.workspaceSelection).toMatchObject({ required: true, defaultWorkspaceId: null })
      expect(me.apiKey).toMatchObject({ ownerId: null, owner: null, homeWorkspaceId: home.workspaceId })
      expect(me.workspaces).toEqual([
        expect.objectContaining({ id: home.workspaceId, suspended: false }),
        expect.objectContaining({ id: other.workspaceId, suspended: true }),
      ])
    })

    test('names a removed owner no more', async () => {
      const member = must(await tenant.settings('POST', '/members', { name: 'Bob', email: 'bob@example.com' }))
      const owned = await tenant.key(['projects:read'], { ownerId: member.id })
      await removedLongAgo(member.id)

      expect(must(await owned.api('GET', path)).apiKey).toMatchObject({ ownerId: member.id, owner: null })
    })

    test('works with any scope', async () => {
      const few = await tenant.key(['events:read'])

      expect(await few.api('GET', path)).toMatchObject({ status: 200, body: { scopes: ['events:read'] } })
    })
  })

  describe('rotate', () => {
    test('returns a new secret once, keeps the old one for the overlap, and emits an event', async () => {
      const key = await tenant.key(['api-keys:rotate-self'])
      const before = await tenant.lastSequence()

      const { secret, ...shown } = must(await key.api('POST', rotatePath, { overlapHours: 2 }))

      expect(shown).toMatchObject({ id: key.keyId, status: 'active', version: 2 })
      expect(Date.parse(shown.previousSecretExpiresAt) - Date.parse(shown.secretCreatedAt)).toBe(2 * 3_600_000)
      expect(codeOf(await asSecret(secret, 'GET', path))).toBe('200')
      expect(codeOf(await asSecret(key.secret, 'GET', path))).toBe('200')
      expect(must(await tenant.settings('GET', `/api-keys/${key.keyId}`))).toMatchObject({ prefix: shown.prefix })
      expect(await tenant.eventTypesAfter(before)).toEqual(['api-keys.rotated'])
      const { data } = must(await tenant.settings('GET', `/events?after=${before}`))
      expect(data[0].actor).toMatchObject({ type: 'api_key', id: key.keyId })
      const audited = must(await tenant.settings('GET', '/audit-entries?action=me.rotate&limit=1')).data
      expect(audited).toMatchObject([{ actor: { id: key.keyId }, target: { type: 'api_key', id: key.keyId } }])
      expect(JSON.stringify([data, audited])).not.toContain(secret)
    })

    test('overlaps by a day unless asked otherwise', async () => {
      const key = await tenant.key(['api-keys:rotate-self'])

      const shown = must(await key.api('POST', rotatePath))

      expect(Date.parse(shown.previousSecretExpiresAt) - Date.parse(shown.secretCreatedAt)).toBe(24 * 3_600_000)
    })

    test('without an overlap ends the old secret at once', async () => {
      const key = await tenant.key(['api-keys:rotate-self'])

      const { secret } = must(await key.api('POST', rotatePath, { overlapHours: 0 }))

      await eventually(
        async () => codeOf(await asSecret(key.secret, 'GET', path)) === '401 api_key_expired',
        'the old secret to end',
      )
      expect(codeOf(await asSecret(secret, 'GET', path))).toBe('200')
    })

    test('with the same Idempotency-Key answers the same secret again and rotates once', async () => {
      const key = await tenant.key(['api-keys:rotate-self'])
      const before = await tenant.lastSequence()
      const rotate = () => key.api('POST', rotatePath, { overlapHours: 1 }, { 'idempotency-key': 'rotate-1' })

      const [first, second] = [await rotate(), await rotate()]

      expect(second).toMatchObject({ status: 200, body: first.body })
      expect(second.headers.get('idempotency-replayed')).toBe('true')
      expect(await tenant.eventTypesAfter(before)).toEqual(['api-keys.rotated'])
      const kept = await system.db.idempotencyRecord.findMany({ where: { callerId: key.keyId } })
      expect(kept).toHaveLength(1)
      expect(Buffer.from(kept[0]!.sealedBody!).includes(first.body.secret)).toBe(false)
    })

    test('needs its scope, and takes no more than a week of overlap', async () => {
      const without = await tenant.key(['api-keys:write'])
      const key = await tenant.key(['api-keys:rotate-self'])

      expect(await without.api('POST', rotatePath)).toMatchObject({
        status: 403,
        body: { code: 'insufficient_scope', requiredScopes: ['api-keys:rotate-self'] },
      })
      for (const overlapHours of [-1, 169, 1.5, '2', null]) {
        expect(codeOf(await key.api('POST', rotatePath, { overlapHours }))).toBe('422 validation_failed')
      }
      expect(must(await tenant.settings('GET', `/api-keys/${key.keyId}`)).version).toBe(1)
    })

    test('of an overdue key is refused until it is rotated in the settings', async () => {
      const key = await tenant.key(['api-keys:rotate-self'], { rotationPolicy: { maxAgeDays: 30 } })
      const longAgo = new Date(Date.now() - 31 * 86_400_000)
      await system.db.apiKeySecret.updateMany({ where: { apiKeyId: key.keyId }, data: { createdAt: longAgo } })

      expect(codeOf(await key.api('POST', rotatePath))).toBe('403 api_key_rotation_required')
      const { secret } = must(await tenant.settings('POST', `/api-keys/${key.keyId}/rotate`))
      expect(codeOf(await asSecret(secret, 'POST', rotatePath))).toBe('200')
    })

    test('of an unbound key is done in the workspace that made it', async () => {
      const [home, other] = [await system.tenant(), await system.tenant()]
      await allowUnbound(home, other)
      const ids = [home.workspaceId, other.workspaceId]
      const unbound = await home.key(['api-keys:rotate-self'], { workspaceIds: ids })
      const rotateIn = (workspaceId: string) =>
        unbound.api('POST', rotatePath, { overlapHours: 1 }, { 'x-workspace-id': workspaceId })

      expect(codeOf(await unbound.api('POST', rotatePath))).toBe('400 workspace_required')
      expect(codeOf(await rotateIn(other.workspaceId))).toBe('403 workspace_not_allowed')
      expect(codeOf(await rotateIn(home.workspaceId))).toBe('200')
    })

    test('twice at the same time leaves the newest secret and those within their overlap valid', async () => {
      const key = await tenant.key(['api-keys:rotate-self'])

      const answers = await Promise.all([1, 2, 3].map(() => key.api('POST', rotatePath, { overlapHours: 1 })))

      const secrets = answers.map((answer) => must(answer).secret)
      expect(new Set(secrets).size).toBe(3)
      for (const secret of [key.secret, ...secrets]) expect(codeOf(await asSecret(secret, 'GET', path))).toBe('200')
      expect(must(await tenant.settings('GET', `/api-keys/${key.keyId}`)).version).toBe(4)
    })
  })

  describe('the owner of a key', () => {
    const make = (ownerId: string | null, who = tenant) =>
      who.settings('POST', '/api-keys', { name: 'Owned', scopes: ['projects:read'], ownerId })

    test('is a member of the workspace, set, changed and cleared in the settings', async () => {
      const ada = must(await tenant.settings('POST', '/members', { name: 'Ada', email: 'ada.l@example.com' }))
      const grace = must(await tenant.settings('POST', '/members', { name: 'Grace', email: 'grace.h@example.com' }))

      const key = must(await make(ada.id))
      const moved = must(await tenant.settings('PATCH', `/api-keys/${key.id}`, { ownerId: grace.id }))
      const cleared = must(await tenant.settings('PATCH', `/api-keys/${key.id}`, { ownerId: null }))

      expect([key.ownerId, moved.ownerId, cleared.ownerId]).toEqual([ada.id, grace.id, null])
      expect(cleared.version).toBe(3)
    })

    test('that is set again changes nothing, whatever version was expected', async () => {
      const [owner] = must(await tenant.settings('GET', '/members')).data
      const key = must(await make(owner.id))

      const same = await tenant.settings(
        'PATCH',
        `/api-keys/${key.id}`,
        { ownerId: owner.id, rotationPolicy: null },
        { 'if-match': '"1"' },
      )

      expect(same).toMatchObject({ status: 200, body: { version: 1 } })
    })

    test('must be a member of the workspace who is not removed; one who is removed later stays the owner', async () => {
      const other = await system.tenant()
      const [foreign] = must(await other.settings('GET', '/members')).data
      const gone = must(await tenant.settings('POST', '/members', { name: 'Gone', email: 'gone@example.com' }))
      const owned = must(await make(gone.id))
      await removedLongAgo(gone.id)
      const refused = { status: 422, body: { code: 'reference_not_found', errors: [{ pointer: '/ownerId' }] } }

      for (const id of ['01999999-0000-7000-8000-000000000000', foreign.id, gone.id]) {
        expect(await make(id)).toMatchObject(refused)
      }
      const { keyId } = await tenant.key(['projects:read'])
      expect(await tenant.settings('PATCH', `/api-keys/${keyId}`, { ownerId: gone.id })).toMatchObject(refused)
      expect(must(await tenant.settings('PATCH', `/api-keys/${owned.id}`, { name: 'Renamed' })).ownerId).toBe(gone.id)
    })
  })
})
