// Every fault code of the catalogue, provoked here or in the test of what it is about.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Fault, faultCodes, type FaultCode } from '#contract/faults/fault.ts'
import { describeMode, must, sharedSystem, type Answer, type System, type Tenant } from '../support/system.ts'
import { calledAs, visitorOf } from '../support/person.ts'

type Context = { readonly system: System; readonly tenant: Tenant }
type Meet = (context: Context) => Promise<Answer>

const projects = '/api/v1/projects'

const meet: Partial<Record<FaultCode, Meet>> = {
  invalid_idempotency_key: ({ tenant }) => tenant.api('POST', projects, { name: 'x' }, { 'idempotency-key': 'a b' }),
  not_signed_in: ({ system }) => visitorOf(system).call('GET', '/sessions/current'),
  wrong_password: ({ system }) => visitorOf(system).signIn('nobody@example.com'),
  https_required: ({ system }) => visitorOf(calledAs(system, 'console.example.com')).signIn('nobody@example.com'),
  idempotency_in_progress: (context) =>
    whileReserved(context, () => context.tenant.api('POST', projects, { name: 'x' }, { 'idempotency-key': 'busy' })),
  internal_error: async ({ system, tenant }) => {
    const { id } = must(await tenant.api('POST', projects, { name: 'x' }))
    await system.db.project.updateMany({ where: { id }, data: { createdBy: { type: 'nobody' } } })
    return tenant.api('GET', `${projects}/${id}`)
  },
}

/** Runs while another transaction holds the row of the key `busy`. */
async function whileReserved({ system, tenant }: Context, run: () => Promise<Answer>): Promise<Answer> {
  const { keyId: callerId, workspaceId } = tenant
  const request = { operation: 'projects.create', key: 'busy', fingerprint: Buffer.alloc(32), createdAt: new Date() }
  return system.db.$transaction(
    async (tx) => {
      await tx.idempotencyRecord.create({ data: { callerId, workspaceId, ...request } })
      return run()
    },
    { timeout: 15_000 },
  )
}

// On Postgres: PGlite runs one transaction after the other, where none meets another that is in progress.
describeMode('refusals', 'distributed', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  test.each(Object.entries(meet))('%s says what it is, and nothing of what is inside', async (code, provoke) => {
    const { status, body } = await provoke({ system, tenant })

    const text = expect.stringMatching(/\S/)
    const told = { type: `/docs/errors/${code}`, title: text, detail: text, instance: text, requestId: text }
    expect(status).toBe(new Fault(code as FaultCode, '').status)
    expect(body).toMatchObject({ code, status, ...told })
    const names = Object.keys({ code, status, ...told })
    if (code === 'internal_error') expect(Object.keys(body).toSorted()).toEqual(names.toSorted())
  })
})

test('every code that is not provoked here is in another test', () => {
  const tests = join(import.meta.dirname, '..')
  const others = globSync('**/*.test.ts', { cwd: tests }).filter((file) => !file.endsWith('fault-codes.test.ts'))
  const words = new Set(others.flatMap((file) => readFileSync(join(tests, file), 'utf8').match(/\w+/g) ?? []))

  expect(faultCodes.filter((code) => !(code in meet) && !words.has(code))).toEqual([])
})
