// What a refusal says of a place. What an answer shows and a call cannot set is read-only: `unknown` would send whoever
// reads it looking for a typo. Everything else is told in sentences of ours: the validator's own speak of schemas,
// count "1 characters", name items by "## 1 and 0" and show whole regular expressions.
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { operationNamed, operations } from '#contract/api.ts'
import type { Fault } from '#contract/faults/fault.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import { type Operation, methodOf, pathOf } from '#contract/operation.ts'
import { parameterNames } from '#contract/route-paths.ts'
import { inputFrom } from '../../../service/http/request-input.ts'
import { didYouMean } from '../../../service/validation/unknown-field.ts'
import { assertInput } from '../../../service/validation/validate-operation.ts'
import { messageFor } from '../../../service/validation/validation-messages.ts'
import { spoils } from '../../support/arbitrary/invalid-value.ts'
import { faultOf } from '../../support/faults.ts'
import { sampleInput } from '../../support/sample-value.ts'

const writing = operations
  .filter((operation) => ['POST', 'PATCH', 'PUT'].includes(methodOf(operation)) && 'id' in shownIn(operation.output))
  .map((operation): [string, Operation] => [operation.name, operation])

test.each(writing)('%s says of each field that it shows and does not take that it is read-only', (_name, operation) => {
  const inPath = parameterNames(pathOf(operation))
  for (const field of Object.keys(shownIn(operation.output))) {
    if (field in operation.input.properties && !inPath.includes(field)) continue
    const given = sampleInput(operation.input)
    const path = Object.fromEntries(inPath.map((name) => [name, given[name]]))
    const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !inPath.includes(name)))

    const overHttp = faultOf(() =>
      inputFrom(operation, {
        ...{ path, query: {}, ifMatch: undefined, ifNoneMatch: undefined },
        body: { ...rest, [field]: 'x' },
      }),
    )
    const overMcp = inPath.includes(field) ? overHttp : faultOf(() => assertInput(operation, { ...given, [field]: 1 }))

    const errors = [{ pointer: `/${field}`, code: 'read_only', detail: 'Can be read, and not be written here.' }]
    for (const refused of [overHttp, overMcp])
      expect(refused).toMatchObject({ code: 'validation_failed', members: { errors } })
  }
})

test('an unknown name is told with the known one that it is near, if there is one', () => {
  const known = ['status', 'dueDate', 'ownerId', 'q', 'externalSource', 'priority']
  const near = {
    status: 'statuss sattus',
    dueDate: 'due_date DUEDATE',
    externalSource: 'external_source',
    ownerId: 'owner',
  }

  for (const [meant, names] of Object.entries(near))
    for (const name of names.split(' ')) {
      expect(didYouMean(name, known)).toBe(` Did you mean \`${meant}\`?`)
      expect(didYouMean(name, [])).toBe('')
    }
  for (const name of ['prio', 'page', 'status'.repeat(100_000)]) expect(didYouMean(name, known)).toBe('')
})

/** Of objects, which have an id. */
function shownIn(schema: TSchema): Record<string, TSchema> {
  const { properties = {}, anyOf = [] } = schema as { properties?: Record<string, TSchema>; anyOf?: readonly TSchema[] }
  return Object.assign({}, 'id' in properties ? properties : {}, ...anyOf.map(shownIn)) as Record<string, TSchema>
}

const draw = { idFor: () => fc.constant('01999999-0000-7000-8000-000000000000'), isQuery: false }
const named = operations.map((operation): [string, Operation] => [operation.name, operation])

/** What only describes, and what the words of other keywords tell of. */
const silent = new Set(
  'description default properties patternProperties propertyNames items additionalProperties'.split(' '),
)

test('every keyword, format and pattern that an input can fail at has words of ours', () => {
  const lacking = operations
    .flatMap(({ name, input }) => keywordsIn(input).map(([keyword, asked]) => ({ name, keyword, asked })))
    .filter(({ keyword, asked }) => messageFor(keyword, asked) === undefined)

  expect(lacking).toEqual([])
})

test.each(named)('%s refuses whatever is broken where it is, in words of ours', (_name, operation) => {
  for (const { at, how, value } of spoils(operation.input, draw)) {
    const [broken] = fc.sample(value, { numRuns: 1, seed: 7 })

    const told = refusalOf(operation, broken)

    // What is wrong with an item of a batch refuses that item, and not the call.
    const isInItem = operation.cost === 'items' && at[0] === 'items' && at.length > 1
    expect(isInItem || names(told, at), `${how} at /${at.join('/')}`).toBe(true)
    for (const { detail } of told?.members.errors ?? []) {
      expect(detail).toMatch(/^[A-Z].*[.?]$/)
      expect(detail).not.toMatch(/##|\^|\\|NOT|schema|\b1 \w+s\b|This value is invalid/)
    }
  }
})

const deal = { kind: 'deal', amount: { amount: '1', currency: 'euro' } }
const british = { kind: 'company', address: { country: 'UK' } }
const meant = 'Must be a country of ISO 3166-1 in two capitals, such as DE. For UK, send GB.'

test.each([
  ['projects.create', { name: '' }, '/name', 'too_short', 'Must not be empty.'],
  ['projects.create', { labels: [''] }, '/labels/0', 'too_short', 'Must not be empty.'],
  ['projects.create', { labels: 'a,b' }, '/labels', 'wrong_type', 'Must be a list.'],
  ['projects.create', { key: '' }, '/key', 'wrong_format', 'Must be two to ten capitals, such as WEB.'],
  ['crm-entities.create', british, '/address/country', 'wrong_format', meant],
  ['crm-entities.create', deal, '/amount/currency', 'wrong_format', 'Must be a currency of ISO 4217, such as EUR.'],
])('a place that fails in several ways is told of once: %s %j', (name, given, pointer, code, detail) => {
  const told = refusalOf(operationNamed(name), { name: 'x', ...given })

  expect(told?.members.errors).toEqual([{ pointer, code, detail }])
})

const refusalOf = (operation: Operation, input: unknown) => faultOf(() => assertInput(operation, input))

/** Whether it tells of the place, or of one in it. */
const names = (told: Fault | null, at: readonly (string | number)[]): boolean =>
  (told?.members.errors ?? []).some(({ pointer, parameter = '' }) =>
    pointer === undefined
      ? parameter.startsWith(String(at[0]))
      : `${pointer}/`.startsWith(`${at.map((step) => `/${step}`).join('')}/`),
  )

function keywordsIn(schema: SchemaNode): [string, unknown][] {
  const { anyOf = [], items, propertyNames, properties = {}, patternProperties = {} } = schema
  const inner = [...anyOf, ...Object.values(properties), ...Object.values(patternProperties)]
  const all = [...inner, ...(items ? [items] : []), ...(propertyNames ? [propertyNames] : [])]
  return [...Object.entries(schema).filter(([keyword]) => !silent.has(keyword)), ...all.flatMap(keywordsIn)]
}
