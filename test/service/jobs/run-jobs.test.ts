// Jobs done turn by turn, with no service around them: what survives a kill, and whose turn is next.
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import type { OperationName } from '#contract/api.ts'
import type { FileBody } from '#contract/file-answer.ts'
import { Fault } from '#contract/faults/fault.ts'
import { newId } from '#runtime/new-id.ts'
import type { Execute } from '../../../service/execution/call.ts'
import { callAs } from '../../../service/jobs/call-as.ts'
import { changeStep } from '../../../service/jobs/change-objects.ts'
import { importStep } from '../../../service/jobs/import-rows.ts'
import { takeNext, writeStep } from '../../../service/jobs/rows.ts'
import { runJobs } from '../../../service/jobs/run-jobs.ts'
import { changeDeps } from '../../support/change-deps.ts'
import { unusedStore } from '../../support/file-store.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { principalWith } from '../../support/principal-headers.ts'
import { sharedExecutor } from '../execution/quiet-executor.ts'

const unexpected = (error: unknown): void => {
  throw error
}

onEachEngine((kind) => {
  describe('jobs', () => {
    const open = sharedExecutor(kind)

    async function stage() {
      const { db, workspaceId, execute } = await open()
      const operator = principalWith({ kind: 'operator', id: 'operator', workspaceId, surface: 'settings' })
      const scopes = ['jobs:write', 'projects:write', 'crm-entities:write', 'api-keys:write']
      const made = await execute('api-keys.create', { name: 'Sync', scopes }, { principal: { ...operator, scopes } })
      const principal = principalWith({ id: made.body.id as string, workspaceId, scopes })
      const call = async (name: OperationName, input: object) => (await execute(name, input, { principal })).body
      const executeAll: Execute = ({ operation, input, ...more }) =>
        execute(operation.name as OperationName, input as object, more)
      const deps = { ...changeDeps(db), execute: executeAll, fileStore: unusedStore() }
      return { db, workspaceId, call, deps, keyId: principal.id, start: () => call('jobs.create', { kind: 'export' }) }
    }
    type Stage = Awaited<ReturnType<typeof stage>>

    const turn = ({ deps }: Stage, onError = unexpected) => runJobs(deps, onError, 0)
    const turnsUntilEnd = async (stageOf: Stage, id: string) => {
      const { call } = stageOf
      for (let count = 0; count < 30; count += 1) {
        const job = await call('jobs.get', { id })
        if (job.endedAt !== null) return job
        await turn(stageOf)
      }
      throw new Error('It does not end')
    }
    async function linesOf({ call }: Stage, id: string, file: 'result' | 'refusals' = 'result') {
      const body = (await call(`jobs.${file}`, { id })) as FileBody
      const pieces = await Array.fromAsync(body.read(0, body.bytes))
      const lines = gunzipSync(Buffer.concat(pieces)).toString().trim().split('\n')
      return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    }
    const expireLease = ({ db, workspaceId }: Stage, id: string) =>
      db.job.update({ where: { workspaceId_id: { workspaceId, id } }, data: { leaseUntil: new Date(0) } })

    test('go on from the last step that was written when their service is killed, and write no row twice', async () => {
      const stageOf = await stage()
      const { db, call, start } = stageOf
      for (const name of ['A', 'B', 'C']) await call('projects.create', { name })
      const { id } = await start()

      // Each turn another service takes the job and is killed after its work, before that is written down.
      for (let count = 0; count < 4; count += 1) {
        const dead = (await takeNext(db, newId()))!
        await expireLease(stageOf, id)
        await turn(stageOf)
        expect(await writeStep(db, dead, { position: { at: 9 }, done: 100 })).toBe(false)
      }
      const job = await turnsUntilEnd(stageOf, id)

      const lines = await linesOf(stageOf, id)
      expect(lines.map(({ name }) => name).filter((name) => name !== undefined)).toEqual(['A', 'B', 'C'])
      expect(job).toMatchObject({ status: 'completed', total: 3, done: 3, result: { rows: 5 } })
    })

    test('of a workspace run one after the other, and workspaces take turns', async () => {
      const [one, two] = [await stage(), await stage()]
      const [first, second, other] = [await one.start(), await one.start(), await two.start()]

      const taken: string[] = []
      for (let count = 0; count < 4; count += 1) {
        const job = (await takeNext(one.db, newId()))!
        taken.push(job.id)
        await expireLease(job.workspaceId === one.workspaceId ? one : two, job.id)
      }

      expect(taken).toEqual([first.id, other.id, first.id, other.id])
      for (const [of, { id }] of [
        [one, first],
        [two, other],
        [one, second],
      ] as const)
        await turnsUntilEnd(of, id)
    })

    test('fail with the code that a call of their key is refused with by then, and tell of their end once', async () => {
      const stageOf = await stage()
      const { db, workspaceId, keyId, start } = stageOf
      const { id } = await start()
      await turn(stageOf)
      await db.apiKey.update({ where: { id: keyId }, data: { revokedAt: new Date(), revokedBy: {} } })

      const job = await turnsUntilEnd(stageOf, id)
      await turn(stageOf)
      await turn(stageOf)

      expect(job).toMatchObject({ status: 'failed', failure: { code: 'api_key_revoked' }, result: null })
      expect(await db.event.findMany({ where: { workspaceId, type: 'jobs.finished' } })).toHaveLength(1)
    })

    test('are tried again later when something is away, keep no other waiting, and are given up at some time', async () => {
      const stageOf = await stage()
      const { db, deps, call, workspaceId, start } = stageOf
      const [{ id }, away, told] = [await start(), new Fault('unavailable', 'Not now.'), vi.fn<() => void>()]
      const failing = { ...deps, execute: () => Promise.reject(away) }
      const stored = () => db.job.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId, id } } })

      await runJobs(failing, told, 0)

      expect(told).toHaveBeenCalledExactlyOnceWith(away)
      expect((await stored()).leaseUntil?.getTime()).toBeGreaterThan(Date.now())
      expect(await takeNext(db, newId())).toBeUndefined()
      await db.job.updateMany({ where: { id }, data: { failures: 99, leaseUntil: new Date(0) } })
      await runJobs(failing, told, 0)
      expect(await call('jobs.get', { id })).toMatchObject({ status: 'failed', failure: { code: 'internal_error' } })
    })

    test('whose end cannot be told keep no others waiting, and are told of later', async () => {
      const stageOf = await stage()
      const { db, workspaceId, deps, start } = stageOf
      const stored = (id: string) => db.job.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId, id } } })
      const ended = await start()
      await turnsUntilEnd(stageOf, ended.id)
      await db.job.updateMany({ where: { id: ended.id }, data: { toldAt: null } })
      const next = await start()
      const told = vi.fn<(error: unknown) => void>()

      await runJobs({ ...deps, recordEvents: () => Promise.reject(new Error('No room')) }, told, 0)

      expect(told).toHaveBeenCalledOnce()
      expect((await stored(next.id)).status).not.toBe('queued')
      expect((await stored(ended.id)).toldAt).toBeNull()
      await turnsUntilEnd(stageOf, next.id)
      await turn(stageOf)
      expect((await stored(ended.id)).toldAt).toEqual(expect.any(Date))
    })

    test('that are cancelled stay as they are, and what they wrote is no result', async () => {
      const stageOf = await stage()
      const { db, call, start } = stageOf
      const { id } = await start()
      const working = (await takeNext(db, newId()))!

      const job = await call('jobs.cancel', { id })
      const again = await call('jobs.cancel', { id })

      expect(job).toMatchObject({ status: 'cancelled', endedAt: expect.any(String), expiresAt: expect.any(String) })
      expect(again).toEqual(job)
      expect(await writeStep(db, working, { position: null, done: 1 })).toBe(false)
      await expect(call('jobs.result', { id })).rejects.toMatchObject({ code: 'not_found' })
    })

    test('that change objects act on each once when they are killed between batch and record', async () => {
      const stageOf = await stage()
      const { db, deps, call, workspaceId } = stageOf
      for (let at = 0; at < 5; at += 1) await call('projects.create', { name: `P${at}` })
      const asked = {
        kind: 'update',
        resource: 'projects',
        filter: { status: ['planned'] },
        changes: { health: 'at_risk' },
      }
      const { id } = await call('jobs.create', { ...asked, confirmedTotal: 5 })
      await turn(stageOf)
      const dead = (await takeNext(db, newId()))!
      await changeStep(dead, await callAs(db, deps.execute, dead))
      await expireLease(stageOf, id)

      const job = await turnsUntilEnd(stageOf, id)

      expect(job).toMatchObject({ status: 'completed', total: 5, done: 5, refused: 0, refusals: null })
      const { data } = await call('projects.list', { fields: ['health'] })
      expect(data.map(({ version, health }: Record<string, unknown>) => [version, health])).toEqual(
        Array.from({ length: 5 }, () => [2, 'at_risk']),
      )
      expect(await db.event.count({ where: { workspaceId, type: 'projects.updated' } })).toBe(5)
    })

    test('never change more than was confirmed, and leave what changes meanwhile as it is', async () => {
      const stageOf = await stage()
      const { db, call } = stageOf
      const [one] = [await call('projects.create', { name: 'One' }), await call('projects.create', { name: 'Two' })]
      const asked = {
        kind: 'update',
        resource: 'projects',
        filter: { health: ['!off_track'] },
        changes: { health: 'off_track' },
      }
      const { total } = await call('jobs.create', { ...asked, dryRun: true })
      await expect(call('jobs.create', { ...asked, confirmedTotal: 1 })).rejects.toMatchObject({
        code: 'precondition_failed',
        members: { total: 2 },
      })
      const { id } = await call('jobs.create', { ...asked, confirmedTotal: total })
      await turn(stageOf)
      await call('projects.update', { id: one.id, name: 'Changed' })

      const job = await turnsUntilEnd(stageOf, id)

      expect(job).toMatchObject({ status: 'completed', done: 2, refused: 1, refusals: { rows: 1 } })
      const [refusal] = await linesOf(stageOf, id, 'refusals')
      expect(refusal).toMatchObject({ object: 'refusal', id: one.id, code: 'version_mismatch', errors: [] })
      // A row that came to match after the count, however that was.
      const late = await call('jobs.create', { ...asked, filter: { ids: [one.id] }, confirmedTotal: 1 })
      await db.job.updateMany({ where: { id: late.id }, data: { request: { ...late.request, confirmedTotal: 0 } } })
      expect(await turnsUntilEnd(stageOf, late.id)).toMatchObject({
        status: 'failed',
        done: 0,
        failure: { code: 'precondition_failed' },
      })
    })

    test('import each row once when they are killed between batch and record, and again change what is there', async () => {
      const stageOf = await stage()
      const { db, deps, call } = stageOf
      const text = Array.from({ length: 150 }, (_, at) => `{"name":"C${at}","externalId":"co-${at}"}`).join('\n')
      const defaults = { kind: 'company', externalSource: 'erp' }
      const asked = { kind: 'import', resource: 'crm-entities', format: 'ndjson', text, defaults }
      const { id } = await call('jobs.create', asked)
      await turn(stageOf)
      const dead = (await takeNext(db, newId()))!
      await importStep(db, dead, Readable.from([]), await callAs(db, deps.execute, dead))
      await expireLease(stageOf, id)

      const job = await turnsUntilEnd(stageOf, id)
      const again = await turnsUntilEnd(stageOf, (await call('jobs.create', asked)).id)

      expect(job).toMatchObject({ status: 'completed', total: 150, done: 150, refused: 0, result: { rows: 150 } })
      expect(await call('crm-entities.count', {})).toMatchObject({ total: 150 })
      const [first, second] = [await linesOf(stageOf, id), await linesOf(stageOf, again.id)]
      expect(first[149]).toMatchObject({ line: 150, externalSource: 'erp', externalId: 'co-149', created: true })
      expect(second.map((line) => line['id'])).toEqual(first.map((line) => line['id']))
      expect(second.every(({ created }) => created === false)).toBe(true)
    })

    test('import rows that find what is there by `match`, and say of each what was done', async () => {
      const stageOf = await stage()
      const { call } = stageOf
      const acme = { kind: 'company', name: 'Acme', domains: ['acme.example'] }
      const { id: known } = (await call('crm-entities.create', acme)) as { id: string }
      const text =
        'externalId,name,domains,industry\nco-1,ACME Ltd,acme.example,Steel\nco-2,Other,other.example,\n,None,,'
      const defaults = { kind: 'company', externalSource: 'erp', match: 'domains', onMatch: 'fillEmpty' }
      const asked = { kind: 'import', resource: 'crm-entities', format: 'csv', text, defaults }

      const { id } = await turnsUntilEnd(stageOf, (await call('jobs.create', asked)).id)

      expect(await linesOf(stageOf, id)).toMatchObject([
        { line: 2, id: known, created: false, outcome: 'updated', matchedBy: 'domains' },
        { line: 3, created: true, outcome: 'created', matchedBy: null },
      ])
      expect(await call('crm-entities.get', { id: known })).toMatchObject({ name: 'Acme', industry: 'Steel' })
    })

    test('import the columns of CSV, and name each row that is refused by line, own id, field and reason', async () => {
      const stageOf = await stage()
      const { call } = stageOf
      const text = [
        '\uFEFFFirma;Mitarbeiter;Domains;Notiz;Nr',
        '"Müller; ""Söhne""\nGmbH";12;mueller.example|soehne.example;x;co-1',
        'Acme;viele;;y;co-2',
        'Short;1',
        'Zwei Zeilen;;;"a\nb";co-3',
        ';3;;;co-4',
      ].join('\r\n')
      const mapping = {
        Firma: 'name',
        Mitarbeiter: 'employeeCount',
        Domains: { field: 'domains', separator: '|' },
        Notiz: null,
        Nr: 'externalId',
      }
      const defaults = { kind: 'company', externalSource: 'erp' }
      const asked = { kind: 'import', resource: 'crm-entities', format: 'csv', text, mapping, defaults }
      const tried = await turnsUntilEnd(stageOf, (await call('jobs.create', { ...asked, dryRun: true })).id)
      expect(await call('crm-entities.count', {})).toMatchObject({ total: 0 })

      const { id } = await call('jobs.create', asked)
      const job = await turnsUntilEnd(stageOf, id)

      expect(tried).toMatchObject({
        status: 'completed',
        total: 5,
        refused: 4,
        result: null,
        request: { dryRun: true },
      })
      expect(job).toMatchObject({ status: 'completed', total: 5, done: 5, refused: 4 })
      const { data } = await call('crm-entities.list', { sort: ['name'] })
      expect(data).toMatchObject([{ name: 'Zwei Zeilen', externalId: 'co-3', employeeCount: null }])
      const refused = await linesOf(stageOf, id, 'refusals')
      expect(refused).toEqual(await linesOf(stageOf, tried.id, 'refusals'))
      expect(refused.map(({ line, externalId, code }) => [line, externalId, code])).toEqual([
        [5, undefined, 'validation_failed'],
        [2, 'co-1', 'validation_failed'],
        [4, 'co-2', 'validation_failed'],
        [8, 'co-4', 'validation_failed'],
      ])
      expect(refused[2]?.['errors']).toMatchObject([{ pointer: '/employeeCount', code: 'wrong_type' }])
    })

    test('whose file cannot be read fail and say why', async () => {
      const stageOf = await stage()
      const { call } = stageOf
      const importOf = async (text: string, more: object = {}) => {
        const asked = { kind: 'import', resource: 'crm-entities', format: 'csv', text, ...more }
        return turnsUntilEnd(stageOf, (await call('jobs.create', asked)).id)
      }

      const failed = [
        await importOf('name,name\na,b'),
        await importOf('name,nmae\na,b', { mapping: { name: 'name', namee: null } }),
        await importOf('name,other\na,b', { mapping: { name: 'name' } }),
        await importOf('na me\na'),
        await importOf('name\n"a'),
      ]

      const details = failed.map(({ status, failure }) => [status, failure.code, failure.detail])
      expect(details).toEqual([
        ['failed', 'validation_failed', expect.stringContaining('two columns "name"')],
        ['failed', 'validation_failed', expect.stringContaining('no column "namee"')],
        ['failed', 'validation_failed', expect.stringContaining('nothing of the column "other"')],
        ['failed', 'validation_failed', expect.stringContaining('"na me" is not the name of a field')],
        ['failed', 'validation_failed', expect.stringContaining('no CSV: Quote Not Closed')],
      ])
    })

    test('are ten in a workspace at most, until one has ended', async () => {
      const { call, start } = await stage()
      const started = []
      for (let count = 0; count < 10; count += 1) started.push(await start())

      await expect(start()).rejects.toMatchObject({ code: 'limit_reached', members: { limit: 10 } })

      for (const { id } of started) await call('jobs.cancel', { id })
      expect(await start()).toMatchObject({ status: 'queued' })
    })
  })
})
