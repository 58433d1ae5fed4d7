// The input and the output of an operation, validated against the schemas that it declares.
import { Type, type TObject, type TSchema } from 'typebox'
import { Fault, type FieldError } from '#contract/faults/fault.ts'
import { answersFile } from '#contract/file-answer.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import { isPartial, methodOf, pathOf, type Operation } from '#contract/operation.ts'
import { answerFields, parameterNames } from '#contract/route-paths.ts'
import { stepsOf } from '../text/json.ts'
import { emptyTextAsNull, nullAsEmptyLists, canonicalSpelling, normalize } from './normalize-input.ts'
import { parameterAt } from './query-parameters.ts'
import { checker, outputChecker, boundsCheck, type Check } from './schema-validator.ts'

type Checks = {
  readonly bounds: Check
  readonly respell: (input: unknown) => unknown
  readonly input: Check
  readonly emptyText: (input: unknown) => unknown
  readonly emptyLists: (input: unknown) => unknown
  readonly item: { readonly bounds: Check; readonly check: Check }
  readonly output: ReturnType<typeof outputChecker>
  readonly partial: ReturnType<typeof outputChecker>
}

// Compiled when they are first used: compiling all at once would hold up the start for seconds, and input that is over
// a bound is refused without its schema being compiled.
const checks = new Map<Operation, Checks>()

/**
 * Returns the input as handlers take it: text in NFC, ids in small letters, times in UTC, nothing that is empty in two
 * ways. The items of a batch are counted and otherwise left as they are: what is wrong in one must not keep the others
 * out (`itemErrors`).
 */
export function assertInput(operation: Operation, input: unknown): unknown {
  const { bounds, respell, input: check, emptyText, emptyLists } = checksOf(operation)
  // Bounds first: all that follows costs more, the larger the input is.
  assertNone(operation, bounds(input))
  const items = itemsOfBatch(operation, input)
  const { value: given, errors } = normalize(items === null ? input : { ...(input as object), items: [] })
  assertNone(operation, errors)
  const value = emptyText(respell(items === null ? given : { ...(given as object), items }))
  assertNone(operation, check(value))
  return emptyLists(value)
}

/** Returns the errors of one item of a batch beside its data, which is the input of the call that it stands for. */
export function itemErrors(batch: Operation, item: unknown): readonly FieldError[] {
  const { bounds, check } = checksOf(batch).item
  const tooLarge = bounds(item)
  return tooLarge.length > 0 ? tooLarge : check(item)
}

function itemsOfBatch({ cost }: Operation, input: unknown): readonly unknown[] | null {
  if (cost !== 'items' || typeof input !== 'object' || input === null) return null
  const { items } = input as { readonly items?: unknown }
  return Array.isArray(items) ? items : null
}

/** The schema with a list `items` of anything. */
export function withOpenItems(schema: TObject): TObject {
  const { items } = schema.properties
  const open = { ...items, items: Type.Unknown() } as TSchema
  return { ...schema, properties: { ...schema.properties, items: open } }
}

/** Throws the refusal of a call with these errors, if there are any. */
export function assertNone(operation: Operation, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw faultOf(operation, markReadOnly(operation, errors))
}

/** Throws a plain Error, which is answered with 500: an undeclared answer is an error of ours, never the caller's. */
export function assertOutput(operation: Operation, input: unknown, output: unknown): void {
  if (answersFile(operation)) return
  const { output: whole, partial } = checksOf(operation)
  const error = (isPartial(operation, input as Record<string, unknown>) ? partial : whole)(withEnds(output))
  if (error !== null) throw new Error(`${operation.name} gave an undeclared answer: ${error}`)
}

/** All items of a page come out of one mapping function: only the first and the last are validated. */
function withEnds(output: unknown): unknown {
  const { data, page } = (output ?? {}) as { readonly data?: unknown; readonly page?: unknown }
  if (page === undefined || !Array.isArray(data) || data.length < 3) return output
  return { ...(output as object), data: [data[0], data.at(-1)] }
}

function checksOf(operation: Operation): Checks {
  const known = checks.get(operation)
  if (known !== undefined) return known
  const { cost, output, partial = output } = operation
  const input = cost === 'items' ? withOpenItems(operation.input) : operation.input
  const item = itemOf(operation.input.properties['items'])
  const compiled: Checks = {
    bounds: boundsCheck(input),
    respell: canonicalSpelling(input),
    emptyText: operation.emptyTextIsNull === true ? emptyTextAsNull(input) : (value) => value,
    emptyLists: nullAsEmptyLists(input),
    input: lazily(() => checker(input)),
    item: { bounds: lazily(() => boundsCheck(item)), check: lazily(() => checker(item)) },
    output: lazily(() => outputChecker(output)),
    partial: lazily(() => outputChecker(partial)),
  }
  checks.set(operation, compiled)
  return compiled
}

const itemOf = ({ items = Type.Unknown() }: SchemaNode = {}): TSchema => items

function lazily<R>(make: () => (value: unknown) => R): (value: unknown) => R {
  let made: ((value: unknown) => R) | undefined
  return (value) => (made ??= make())(value)
}

// 400 where a value of path or query is not acceptable, 422 where one of the body is not.
function faultOf(operation: Operation, errors: readonly FieldError[]): Fault {
  const inAddress = errors.filter(({ pointer = '' }) => addressed(operation).includes(stepsOf(pointer)[0] ?? ''))
  if (inAddress.length > 0) {
    const named = inAddress.map(({ pointer = '', ...rest }) => ({ parameter: parameterAt(stepsOf(pointer)), ...rest }))
    return new Fault('invalid_parameter', summary(named), { errors: named })
  }
  if (operation.errors.includes('too_many_items')) assertFewItems(errors)
  const code = errors.every((error) => error.code === 'unknown') ? 'unknown_field' : 'validation_failed'
  return new Fault(code, summary(errors), { errors })
}

function assertFewItems(errors: readonly FieldError[]): void {
  const tooMany = errors.find(({ pointer, code }) => pointer === '/items' && code === 'too_long')
  if (tooMany !== undefined) throw new Fault('too_many_items', tooMany.detail, { errors: [tooMany] })
}

/** The names of the fields that stand in path or query. */
export const addressed = (operation: Operation): string[] =>
  ['GET', 'DELETE'].includes(methodOf(operation))
    ? Object.keys(operation.input.properties)
    : [...parameterNames(pathOf(operation)), ...answerFields]

const summary = (errors: readonly FieldError[]): string =>
  errors
    .map(({ pointer, parameter, detail }) => `${parameter ?? pointer}: ${detail}`)
    .slice(0, 3)
    .join(' ')

/** Returns the same errors; those about fields that answers show and calls cannot set have the code `read_only`. */
export function markReadOnly(operation: Operation, errors: readonly FieldError[]): readonly FieldError[] {
  if (methodOf(operation) === 'GET' || errors.every(({ code }) => code !== 'unknown')) return errors
  const shown = new Set(namesIn(operation.output))
  return errors.map((error) => {
    const [name = '', ...inner] = stepsOf(error.pointer ?? '')
    const isShown = error.code === 'unknown' && inner.length === 0 && shown.has(name)
    return isShown ? { ...error, code: 'read_only', detail: 'Can be read, and not be written here.' } : error
  })
}

/** The fields of stored objects, which have an id; other answers hold nothing of what was sent. */
function namesIn({ anyOf = [], properties = {} }: SchemaNode): string[] {
  return [...('id' in properties ? Object.keys(properties) : []), ...anyOf.flatMap(namesIn)]
}
