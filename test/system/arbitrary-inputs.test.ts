// What holds for every operation and any valid input, drawn from its schema. PROPERTY_SEED and PROPERTY_RUNS
// draw others, or more. Inputs with an error are seen in test/service/validation/refusals.test.ts.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { faultCodes } from '#contract/faults/fault.ts'
import { isPartial, partialType, isOfOperator, methodOf, pathOf, type Operation } from '#contract/operation.ts'
import { checker } from '../../service/validation/schema-validator.ts'
import { canBeSent, takesQuery } from '../support/arbitrary/http-request.ts'
import { repaired } from '../support/arbitrary/repair-input.ts'
import { onFresh } from '../support/arbitrary/fresh-object.ts'
import { pool } from '../support/arbitrary/id-pool.ts'
import { isDelete, readAt, readOfMade } from '../support/arbitrary/read-operation.ts'
import { startService, type InProcess, type Reply } from '../support/arbitrary/in-process-service.ts'
import { valid } from '../support/arbitrary/valid-value.ts'
import { services } from '../support/services.ts'

type Fields = Record<string, unknown>

const seed = Number(process.env['PROPERTY_SEED'] ?? 20_261_121)
const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 20)
const perTestMs = 120_000
const mendsMax = 16
/** These never succeed: refusals and requests come from gateways, nobody has an account, it is no sandbox. */
const ofAccounts = [
  'accounts.reset-access',
  'accounts.remove-second-factors',
  'accounts.confirm-email',
  'email-changes.confirm',
  'email-changes.decline',
]
/** The operator has neither alarms nor an address. */
const ofMembers = ['alarms.preferences', 'alarms.update-preferences', 'alarms.send-test', 'alarms.dismiss']
const ofSandboxes = ['workspaces.reset', 'event-types.trigger', 'webhooks.get-inspected-request']
const findNothing = new Set([
  'refusals.get',
  'requests.get',
  'jobs.result',
  'jobs.refusals',
  ...ofSandboxes,
  ...ofAccounts,
  ...ofMembers,
])

// Rules between fields, and references, are no part of a schema.
const ofAnyCall: readonly string[] = ['validation_failed', 'unknown_field', 'invalid_parameter']

/** What makes comes first, then what lists, and what deletes last: in between there is something to work on. */
const rank = (operation: Operation): number =>
  operation.success === 201 ? 0 : pathOf(operation).includes('{') ? (methodOf(operation) === 'DELETE' ? 3 : 2) : 1
/** Those of people who sign in take a password each time, which is slow by design. */
const called = operations.filter((each) => each.audiences.includes('api') || isOfOperator(each))
const byRank = Map.groupBy(called, rank)
// Tasks go before their projects.
const inOrder = [0, 1, 2, 3]
  .map((at) => byRank.get(at) ?? [])
  .flatMap((each, at) => (at === 3 ? each.toReversed() : each))
  .map((operation): [string, Operation] => [operation.name, operation])

describe.skipIf(services().postgres === null)('any input', () => {
  const known = pool()
  let service: InProcess
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  test.each(inOrder)('%s: valid input is answered as declared', { timeout: perTestMs }, async (_name, operation) => {
    const fits = checker(operation.input)
    const draw = { idFor: known.idFor(segmentOf(operation)), isQuery: takesQuery(operation) }
    const inputs = (valid(operation.input, draw) as fc.Arbitrary<Fields>)
      .map((input) => tamed(input))
      .filter((input) => canBeSent(operation, input) && fits(toNfc(input)).length === 0)
    const statuses: number[] = []

    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        // One in four acts on an object of its own, and is repaired until it is taken.
        const isHelped = statuses.length % 4 === 0
        const helped = isHelped ? await onFresh(service, operation, input) : input
        statuses.push(await answered(operation, helped, isHelped ? mendsMax : 0))
      }),
      // The first failure ends it: every further call would be made for a smaller one.
      { seed, numRuns, endOnFailure: true },
    )

    const succeeded = statuses.filter((status) => status === operation.success || status === 201).length
    const expected = findNothing.has(operation.name) ? 0 : numRuns / 10
    expect(succeeded, `successes of ${statuses.length} calls`).toBeGreaterThanOrEqual(expected)
  })

  async function answered(operation: Operation, input: Fields, mends: number): Promise<number> {
    const reply = await service.call(operation, input)
    assertDeclared(operation, input, reply)
    await assertKept(operation, input, reply)
    const better = mends > 0 && reply.status >= 400 ? repaired(operation, input, reply.body) : null
    return better === null ? reply.status : answered(operation, better, mends - 1)
  }

  /** What was made can be read, what was deleted cannot. */
  async function assertKept(operation: Operation, input: Fields, { status, body }: Reply): Promise<void> {
    if (status === 201) {
      // Shown by the answer alone: what was made cannot be asked for these.
      const { secret: _secret, upload: _upload, outcome: _outcome, matchedBy: _matchedBy, ...shown } = body as Fields
      const expanded = new Set(input['expand'] as string[] | undefined)
      const made = Object.fromEntries(Object.entries(shown).filter(([name]) => !expanded.has(name)))
      const read = readOfMade(operation, input, made['id'])
      if (read !== null)
        expect(await service.call(read.operation, read.input)).toMatchObject({ status: 200, body: made })
      expect(made).toMatchObject(asKept(operation, input, made))
    }
    if (status === 204 && isDelete(operation)) {
      const read = readAt(operation, input)
      const after = read === null ? null : await service.call(read.operation, read.input)
      if (after !== null && !leadsElsewhere(toNfc(read?.input ?? {}), after)) expect(after.status).toBe(404)
      known.drop(String(input['id']))
    }
    known.note(segmentOf(operation), body)
  }
})

function assertDeclared(operation: Operation, input: Fields, reply: Reply): void {
  const { status, type, body } = reply
  if (status !== operation.success && !(operation.creates && status === 201)) {
    assertProblem(reply)
    expect([...ofAnyCall, ...operation.errors]).toContain((body as Fields)['code'])
    return
  }
  // Lines of text have no schema.
  if (type.startsWith('text/csv') || type.startsWith('application/x-ndjson')) return
  const [schema, mediaType] = isPartial(operation, input)
    ? [operation.partial ?? operation.output, partialType]
    : [operation.output, 'application/json']
  expect(checker(schema)(body), JSON.stringify(body)).toEqual([])
  if (status !== 204) expect(type).toContain(mediaType)
}

function assertProblem({ status, type, body }: Reply): void {
  expect(status, JSON.stringify(body)).toBeGreaterThanOrEqual(400)
  expect(status, JSON.stringify(body)).toBeLessThan(500)
  expect(type).toMatch(/^application\/problem\+json/)
  expect(body).toMatchObject({ status, requestId: 'test' })
  expect(faultCodes).toContain((body as Fields)['code'])
}

const segmentOf = ({ name }: Operation): string => name.split('.')[0] ?? ''

/** What was merged into another is read as that one, under a name that is not its own. */
function leadsElsewhere({ id, source, externalId }: Fields, { status, body }: Reply): boolean {
  const found = body as Fields
  if (status !== 200) return false
  return id === undefined
    ? found['externalSource'] !== source || found['externalId'] !== externalId
    : found['id'] !== id
}

/**
 * Nobody waits for events that will not come, no custom field becomes one that every later input lacks, and no
 * workspace is filled with 500 objects.
 */
const tame: Fields = { wait: 0, required: false, sandbox: false }

const tamed = (input: Fields): Fields =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, name in tame ? tame[name] : value]))

const toNfc = (input: Fields): Fields => JSON.parse(JSON.stringify(input).normalize('NFC')) as Fields

/** Of what was sent: the fields that the answer has too, and whose text is nobody's to rewrite. */
function asKept({ input: { properties } }: Operation, input: Fields, answered: Fields): Fields {
  const verbatim = Object.keys(input).filter((name) => {
    const { format, enum: values, type } = properties[name] as { format?: string; enum?: unknown; type?: string }
    const isKept = ['line', 'identity-name', 'integer', 'boolean'].some((each) => [format, type].includes(each))
    return name in answered && (isKept || values !== undefined)
  })
  return toNfc(Object.fromEntries(verbatim.map((name) => [name, input[name]])))
}
