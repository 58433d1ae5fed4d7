// What gateways are told of keys: which have changed, for as long as one may have the key in its cache, and what they
// are, many in one question. And overlaps: a later rotation may shorten one and never lengthens it.
import { randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { type KeyRecords, internalPaths, keysPerQuestionMax } from '#contract/internal/gateway-endpoints.ts'
import { tokenHash } from '#runtime/bearer-tokens.ts'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import { deleteOutdatedKeyChanges, recentKeyChanges, recordKeyChanges } from '../../../service/keys/api-keys/rows.ts'
import { secretOfTests } from '../../dispatcher/stage.ts'
import { onEachEngine, onPostgres, sharedDatabase } from '../../support/database-engines.ts'
import { principalHeaders, principalWith } from '../../support/principal-headers.ts'
import { type WorkspaceInService, sharedService } from '../quiet-service.ts'

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000)

onEachEngine((kind) => {
  const database = sharedDatabase(kind)
  beforeEach(() => database.db.keyChange.deleteMany())

  const changed = (id: string, ageSeconds: number) =>
    database.db.keyChange.create({ data: { kind: 'api-key', subjectId: id, madeAt: secondsAgo(ageSeconds) } })

  test('a change is served once it is committed, newest first, for longer than a gateway caches a key; an answer says if it has all', async () => {
    const { db } = database
    const [key, workspace, withdrawn] = [uuid(), uuid(), uuid()]
    const rolledBack = db.$transaction(async (tx) => {
      await recordKeyChanges(tx, [{ kind: 'api-key', id: withdrawn }])
      throw new Error('withdrawn')
    })
    await expect(rolledBack).rejects.toThrow('withdrawn')
    await changed(key, 60)
    await changed(uuid(), 120)

    await db.$transaction((tx) => recordKeyChanges(tx, [{ kind: 'workspace', id: workspace, version: 7 }]))

    expect(await recentKeyChanges(db)).toEqual({
      changes: [
        { number: expect.any(String), kind: 'workspace', id: workspace, version: 7 },
        { number: expect.any(String), kind: 'api-key', id: key },
      ],
      complete: true,
      epoch: null,
    })
    expect([(await recentKeyChanges(db, 2)).complete, (await recentKeyChanges(db, 1)).complete]).toEqual([true, false])
  })

  test('changes are deleted when no gateway asks for them any more', async () => {
    const young = uuid()
    await changed(young, 540)
    await changed(uuid(), 660)

    await deleteOutdatedKeyChanges(database.db)

    expect(await database.db.keyChange.findMany({ select: { subjectId: true } })).toEqual([{ subjectId: young }])
  })
})

describe('keys by their hashes', () => {
  const newWorkspace = sharedService('pglite')
  const gateway = principalWith({ kind: 'gateway', id: 'gateway', name: 'gateway', surface: 'internal' })
  const unknown = (): string => randomBytes(32).toString('hex')

  async function ask({ app }: WorkspaceInService, body: object, as = gateway) {
    const url = internalPaths.keysByHash
    const headers = principalHeaders(deriveKey(secretOfTests, 'principal'), as, 'POST', url)
    const answer = await app.inject({ method: 'POST', url, headers, body })
    return { status: answer.statusCode, body: answer.json<KeyRecords & { code?: string }>() }
  }

  test('come in their order, the same as one by one, and null for a hash of no key', async () => {
    const workspace = await newWorkspace()
    const makeKey = async (name: string) => {
      const { body } = await workspace.settings('POST', '/api-keys', { name, scopes: ['projects:read'] })
      return { id: body.id, hash: tokenHash(body.secret).toString('hex') }
    }
    const [first, second] = [await makeKey('first'), await makeKey('second')]
    const alone = async (hash: string) => {
      const url = `${internalPaths.keyByHash}/${hash}`
      const headers = principalHeaders(deriveKey(secretOfTests, 'principal'), gateway, 'GET', url)
      return (await workspace.app.inject({ method: 'GET', url, headers })).json<object>()
    }

    const { status, body } = await ask(workspace, { hashes: [second.hash, unknown(), first.hash] })

    expect(status).toBe(200)
    expect(body.keys).toEqual([await alone(second.hash), null, await alone(first.hash)])
    expect(body.keys.map((record) => record?.id)).toEqual([second.id, undefined, first.id])
  })

  test('are not given for too many, for what is no hash, or to anybody but a gateway', async () => {
    const workspace = await newWorkspace()
    const many = Array.from({ length: keysPerQuestionMax + 1 }, unknown)

    expect(await ask(workspace, { hashes: many.slice(1) })).toMatchObject({ status: 200 })
    const noHash = [{ hashes: ['x'] }, { hashes: [unknown().toUpperCase()] }, {}, { hash: many[0] }]
    for (const body of [{ hashes: many }, ...noHash])
      expect(await ask(workspace, body)).toMatchObject({ body: { code: 'validation_failed' } })
    expect(await ask(workspace, { hashes: [] }, { ...gateway, kind: 'operator' })).toMatchObject({ status: 404 })
  })
})

const hourMs = 3_600_000
const oldestFirst = { orderBy: { createdAt: 'asc' } } as const

const webhook = { name: 'w', url: 'https://example.com/hook', eventTypes: ['projects.*'] }
const rotated = [
  { what: 'a key', path: '/api-keys', input: { name: 'k', scopes: ['projects:read'] }, rotate: 'rotate' },
  { what: 'a webhook', path: '/webhooks', input: webhook, rotate: 'rotate-secret' },
]

onPostgres(() => {
  const newWorkspace = sharedService('postgres')

  describe.each(rotated)('the secrets of $what', (of) => {
    async function given() {
      const workspace = await newWorkspace()
      const { id } = (await workspace.settings('POST', of.path, of.input)).body as { id: string }
      /** When each secret ends, the oldest first. */
      const { db, workspaceId } = workspace
      const secrets = (of.rotate === 'rotate' ? db.apiKeySecret : db.webhookSecret) as typeof db.apiKeySecret
      const all = { where: { workspaceId } }
      const ends = async () => (await secrets.findMany({ ...all, ...oldestFirst })).map(({ expiresAt }) => expiresAt)
      const rotate = async (overlapHours: number) => {
        const path = `${of.path}/${id}/${of.rotate}`
        expect(await workspace.settings('POST', path, { overlapHours })).toMatchObject({ status: 200 })
        return ends()
      }
      return { rotate, ends, end: (expiresAt: Date) => secrets.updateMany({ ...all, data: { expiresAt } }) }
    }

    test('no rotation lengthens the overlap of the one before, and one without overlap ends it', async () => {
      const { rotate, ends } = await given()

      const [first] = await rotate(1)
      const [, second] = await rotate(48)
      const untouched = await ends()
      const before = Date.now()
      const shortened = await rotate(24)
      const ended = await rotate(0)

      expect(untouched).toEqual([first, second, null])
      expect([shortened[0], shortened[3]]).toEqual([first, null])
      expect(shortened[1]?.getTime()).toBeLessThan(second?.getTime() ?? 0)
      expect(shortened[1]?.getTime()).toBeGreaterThanOrEqual(before + 24 * hourMs)
      expect(shortened[2]).toEqual(shortened[1])
      expect(ended.slice(0, 4).every((at) => at !== null && at.getTime() <= Date.now())).toBe(true)
    })

    test('a secret that has ended stays ended', async () => {
      const { rotate, end } = await given()
      const over = new Date(Date.now() - hourMs)
      await end(over)

      expect(await rotate(24)).toEqual([over, null])
    })
  })
})
