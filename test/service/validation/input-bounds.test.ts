// What a caller sends too much of is refused for its size alone, before anything whose cost grows with it.
import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Operation } from '#contract/operation.ts'
import { checker } from '../../../service/validation/schema-validator.ts'
import { boundsCheck } from '../../../service/validation/input-bounds.ts'
import { assertInput } from '../../../service/validation/validate-operation.ts'
import { arrayPlaces, type Place } from '../../support/input-pointers.ts'

const itemsCount = 50_000
const cpuMsMax = 20

const itemsOf = (make: (at: number) => unknown): unknown[] => Array.from({ length: itemsCount }, (_, at) => make(at))
const arrays = {
  'of different texts': itemsOf((at) => `v${at}`),
  'of one text': itemsOf(() => 'x'),
  'of objects': itemsOf((at) => ({ [`f${at}`]: at })),
  'of empty lists': itemsOf(() => []),
} as const

const places = operations.flatMap((operation) =>
  arrayPlaces(operation.input).map((place): [string, Operation, Place] => [
    `${operation.name} ${place.pointer}`,
    operation,
    place,
  ]),
)

test.each(places)('%s: 50,000 items are refused for their number, at a bounded cost', (_name, operation, place) => {
  for (const [kind, items] of Object.entries(arrays)) {
    const input = place.inputWith(items)

    const refused = thrownBy(() => assertInput(operation, input))

    expect(refused, kind).toBeInstanceOf(Fault)
    expect((refused as Fault).members.errors, kind).toMatchObject([{ code: 'too_long' }])
    expect(
      leastCpuMs(() => thrownBy(() => assertInput(operation, input))),
      kind,
    ).toBeLessThan(cpuMsMax)
  }
})

test('unknown names are refused by name however many there are, at a bounded cost', () => {
  const operation = operations.find(({ name }) => name === 'webhooks.create')!
  const flood = Object.fromEntries(Array.from({ length: itemsCount }, (_, at) => [`f${at}`, at]))

  for (const input of [flood, { name: 'x', url: 'https://example.com', eventTypes: ['*'], filter: flood }]) {
    const refused = thrownBy(() => assertInput(operation, input)) as Fault

    expect(refused.code).toBe('unknown_field')
    expect(refused.members.errors).toHaveLength(20)
    expect(leastCpuMs(() => thrownBy(() => assertInput(operation, input)))).toBeLessThan(cpuMsMax)
  }
})

test('equal items of an array are found in one pass, whatever type they are of', () => {
  const check = checker(Type.Array(Type.Unknown(), { uniqueItems: true }))
  const items = itemsOf((at) => ({ at }))

  expect(check(items)).toEqual([])
  expect(check([...items, { at: 7 }])).toMatchObject([{ pointer: '', code: 'not_unique' }])
  expect(
    check([
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ]),
  ).toMatchObject([{ code: 'not_unique' }])
  expect(check([1, '1', null, 'null', [1], { 0: 1 }])).toEqual([])
  expect(leastCpuMs(() => check(items))).toBeLessThan(1_000)
})

test('a value that its schema accepts is within every bound', () => {
  const schema = Type.Object(
    {
      list: Type.Array(Type.String({ maxLength: 3 }), { maxItems: 4 }),
      either: Type.Union([Type.Array(Type.Integer(), { maxItems: 2 }), Type.String({ maxLength: 5 }), Type.Null()]),
      named: Type.Record(Type.String(), Type.Array(Type.Integer(), { maxItems: 3 }), { maxProperties: 3 }),
    },
    { additionalProperties: false },
  )
  const [bounds, check] = [boundsCheck(schema), checker(schema)]
  const arbitrary = fc.record({
    list: fc.array(fc.string({ maxLength: 5 }), { maxLength: 6 }),
    either: fc.oneof(fc.array(fc.integer(), { maxLength: 4 }), fc.string({ maxLength: 60 }), fc.constant(null)),
    named: fc.dictionary(fc.string({ minLength: 1 }), fc.array(fc.integer(), { maxLength: 5 }), { maxKeys: 5 }),
  })

  fc.assert(fc.property(arbitrary, (value) => check(value).length > 0 || bounds(value).length === 0))
  fc.assert(
    fc.property(arbitrary, (value) => {
      const tooMany = value.list.length > 4 || (Array.isArray(value.either) && value.either.length > 2)
      return !tooMany || bounds(value).some(({ code }) => code === 'too_long')
    }),
  )
})

test('text in another spelling is not refused for the length of that spelling', () => {
  const bounds = boundsCheck(Type.String({ maxLength: 10 }))

  expect(bounds('ᾂ'.repeat(10).normalize('NFD'))).toEqual([])
  expect(bounds('x'.repeat(81))).toMatchObject([{ pointer: '', code: 'too_long' }])
})

/** The least of a few runs: what comes between on a busy machine is not the check's. */
function leastCpuMs(work: () => unknown): number {
  const runs = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.min(...runs)
}

function thrownBy(work: () => unknown): unknown {
  try {
    return work()
  } catch (thrown) {
    return thrown
  }
}
