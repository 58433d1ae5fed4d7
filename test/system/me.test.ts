// What a key can learn of itself, and how it gives itself a new secret.
// Operations: me.get.
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { describeMode, modes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'
import { told } from './calls.ts'

const path = '/api/v1/me'
const rotatePath = '/api/v1/me/rotate'
const hourMs = 3_600_000

describeMode('me', modes.at(-1) ?? 'standalone', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const asSecret = (secret: string, method: string, to: string): Promise<Answer> =>
    system.call(method, to, undefined, { authorization: `Bearer ${secret}` })
  const works = async (...secrets: string[]) => {
    for (const secret of secrets) expect(told(await asSecret(secret, 'GET', path))).toBe('200')
  }
  const member = async (name: string) =>
    must(await tenant.settings('POST', '/members', { name, email: `${crypto.randomUUID()}@example.com` })).id
  const shownOf = async (keyId: string) => must(await tenant.settings('GET', `/api-keys/${keyId}`))

  test('a bound key is shown its owner, its surfaces and that no workspace must be named', async () => {
    const [owner] = must(await tenant.settings('GET', '/members')).data
    const owned = await tenant.key(['projects:read'], { ownerId: owner.id, surfaces: ['http'] })
    const { workspaceId } = tenant

    const me = must(await owned.api('GET', path))

    const named = { id: owner.id, name: 'Ada', email: 'ada@example.com', role: 'owner' }
    const asked = { header: 'x-workspace-id', parameter: 'workspaceId' }
    expect(me).toMatchObject({
      apiKey: { id: owned.keyId, ownerId: owner.id, owner: named, homeWorkspaceId: workspaceId, surfaces: ['http'] },
      scopes: ['projects:read'],
      workspaces: [{ id: workspaceId, timeZone: 'UTC', defaultCurrency: 'EUR', suspended: false }],
      workspaceSelection: { required: false, defaultWorkspaceId: workspaceId, ...asked },
    })
  })

  test('an unbound key is shown which workspaces it must choose from, and is rotated in the one that made it', async () => {
    const [home, other] = [await system.tenant(), await system.tenant()]
    const change = async ({ workspaceId }: Tenant, body: object) =>
      must(await system.operator('PATCH', `/settings/api/workspaces/${workspaceId}`, body))
    for (const each of [home, other]) await change(each, { apiPolicy: { allowUnboundKeys: true } })
    const workspaceIds = [home.workspaceId, other.workspaceId]
    const key = await home.key(['api-keys:rotate-self'], { workspaceIds })
    const rotateIn = (headers: Record<string, string>) => key.api('POST', rotatePath, { overlapHours: 1 }, headers)
    const inEach = workspaceIds.map((id) => ({ 'x-workspace-id': id }))

    const rotations = [await rotateIn({}), await rotateIn(inEach[1]!), await rotateIn(inEach[0]!)]
    await change(other, { suspended: true })
    const me = must(await key.api('GET', path))

    expect(rotations.map(told)).toEqual(['400 workspace_required', '403 workspace_not_allowed', '200'])
    expect(me.workspaceSelection).toMatchObject({ required: true, defaultWorkspaceId: null })
    expect(me.apiKey).toMatchObject({ ownerId: null, owner: null, homeWorkspaceId: home.workspaceId })
    const shown = workspaceIds.map((id, at) => ({ id, suspended: at === 1 }))
    expect(me.workspaces).toMatchObject(shown)
  })

  test('a new secret is told once, with the old one kept for the overlap, a day unless asked otherwise, and with an event', async () => {
    const key = await tenant.key(['api-keys:rotate-self'])
    const before = await tenant.lastSequence()
    const overlap = (shown: Answer['body']) =>
      Date.parse(shown.previousSecretExpiresAt) - Date.parse(shown.secretCreatedAt)

    const { secret, ...shown } = must(
      await key.api('POST', rotatePath, { overlapHours: 2 }, { 'idempotency-key': 'k' }),
    )

    expect(overlap(shown)).toBe(2 * hourMs)
    await works(secret, key.secret)
    expect(await shownOf(key.keyId)).toMatchObject({ prefix: shown.prefix, status: 'active', version: 2 })
    const { data } = must(await tenant.settings('GET', `/events?after=${before}`))
    expect(data).toMatchObject([{ type: 'api-keys.rotated', actor: { type: 'api_key', id: key.keyId } }])
    const [kept] = await system.db.idempotencyRecord.findMany({ where: { callerId: key.keyId } })
    expect(Buffer.from(kept!.sealedBody!).toString('latin1') + JSON.stringify(data)).not.toContain(secret)
    expect(overlap(must(await asSecret(secret, 'POST', rotatePath)))).toBe(24 * hourMs)
    const last = must(await key.api('POST', rotatePath, { overlapHours: 0 }))
    await eventually(async () => told(await asSecret(secret, 'GET', path)) === '401 api_key_expired', 'the end of it')
    await works(last.secret)
  })

  test('an overdue key does not rotate itself until it is rotated in the settings', async () => {
    const key = await tenant.key(['api-keys:rotate-self'], { rotationPolicy: { maxAgeDays: 30 } })
    const longAgo = new Date(Date.now() - 31 * 24 * hourMs)
    await system.db.apiKeySecret.updateMany({ where: { apiKeyId: key.keyId }, data: { createdAt: longAgo } })

    expect(told(await key.api('POST', rotatePath))).toBe('403 api_key_rotation_required')
    const { secret } = must(await tenant.settings('POST', `/api-keys/${key.keyId}/rotate`))
    expect(told(await asSecret(secret, 'POST', rotatePath))).toBe('200')
  })

  test('rotated thrice at the same time, the newest secret and those within their overlap are valid', async () => {
    const key = await tenant.key(['api-keys:rotate-self'])

    const answers = await Promise.all([1, 2, 3].map(() => key.api('POST', rotatePath, { overlapHours: 1 })))

    const secrets = answers.map((answer) => must(answer).secret)
    expect(new Set(secrets).size).toBe(3)
    await works(key.secret, ...secrets)
    expect((await shownOf(key.keyId)).version).toBe(4)
  })

  test('the owner of a key is a member, set, changed and cleared in the settings; set again, nothing changes', async () => {
    const [ada, grace] = [await member('Ada'), await member('Grace')]
    const { keyId } = await tenant.key(['projects:read'], { ownerId: ada })
    const change = async (ownerId: string | null, version: number) => {
      const body = { ownerId, rotationPolicy: null }
      return must(await tenant.settings('PATCH', `/api-keys/${keyId}`, body, { 'if-match': `"${version}"` }))
    }

    const seen = [await change(ada, 1), await change(grace, 1), await change(null, 2)]

    expect(seen.map(({ ownerId }) => ownerId)).toEqual([ada, grace, null])
    expect(seen.map(({ version }) => version)).toEqual([1, 2, 3])
  })

  test('nobody who was removed becomes an owner; one who was removed later stays it, and is named no more', async () => {
    const gone = await member('Gone')
    const owned = await tenant.key(['projects:read'], { ownerId: gone })
    // By a version under which keys outlived their owners.
    await system.db.member.updateMany({ where: { id: gone }, data: { deletedAt: new Date() } })
    const body = { name: 'x', scopes: ['projects:read'], ownerId: gone }

    const refused = [
      await tenant.settings('POST', '/api-keys', body),
      await tenant.settings('PATCH', `/api-keys/${tenant.keyId}`, { ownerId: gone }),
    ]

    const notFound = { code: 'reference_not_found', errors: [{ pointer: '/ownerId' }] }
    for (const answer of refused) expect(answer).toMatchObject({ status: 422, body: notFound })
    expect(must(await tenant.settings('PATCH', `/api-keys/${owned.keyId}`, { name: 'x' })).ownerId).toBe(gone)
    expect(must(await owned.api('GET', path)).apiKey).toMatchObject({ ownerId: gone, owner: null })
  })
})
