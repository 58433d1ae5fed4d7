// The arguments of a call, validated against the input that its tool lists. An unknown one is refused by name. Errors
// in an item of a batch are for the batch to tell: it refuses that item alone. Some arguments say how an answer is to
// be, beside those that go to the operation; and a fault of the operation is told in the words of the tool.
import { Fault, type FieldError } from '#contract/faults/fault.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import type { Operation } from '#contract/operation.ts'
import { maxTokensDefault, type Arguments, type Tool } from '#contract/tools/tool.ts'
import { boundsCheck, checker, type Check } from '../../validation/schema-validator.ts'
import { refusedFields, didYouMean } from '../../validation/unknown-field.ts'
import { withOpenItems } from '../../validation/validate-operation.ts'

// Compiled when they are first used.
const checks = new Map<Tool, readonly Check[]>()

/** Throws `unknown_field` or `validation_failed`. */
export function assertArguments(tool: Tool, args: Arguments): void {
  const input = tool.cost === 'items' ? withOpenItems(tool.input) : tool.input
  const compiled = checks.get(tool) ?? [boundsCheck(input), checker(input)]
  checks.set(tool, compiled)
  for (const check of compiled) {
    const errors = check(args)
    if (errors.length > 0) throw refusedFields(errors)
  }
}

export type AnswerOptions = {
  readonly isFull: boolean
  readonly fields: readonly string[] | null
  readonly maxTokens: number
}

/** `args` have been validated against the tool's input. */
export function answerOptions(args: Arguments): { readonly options: AnswerOptions; readonly rest: Arguments } {
  const { detail, fields = null, maxTokens = maxTokensDefault, ...rest } = args as AnswerArguments
  return { options: { isFull: detail === 'full', fields, maxTokens }, rest }
}

type AnswerArguments = Arguments & {
  readonly detail?: 'concise' | 'full'
  readonly fields?: readonly string[]
  readonly maxTokens?: number
}

/** Throws `validation_failed` for a field that the list of the collection does not have. */
export function assertFields(list: Operation, fields: readonly string[]): void {
  const known = fieldNames(list)
  const errors = fields.flatMap((name, at) =>
    known.includes(name)
      ? []
      : [
          {
            pointer: `/fields/${at}`,
            code: 'not_in_list' as const,
            allowed: known,
            detail: `Unknown field.${didYouMean(name, known)}`,
          },
        ],
  )
  if (errors.length > 0) throw refusedFields(errors)
}

function fieldNames({ input }: Operation): readonly string[] {
  const { items }: SchemaNode = input.properties['fields'] ?? {}
  const { enum: names = [] }: SchemaNode = items ?? {}
  return names.map(String)
}

type Rename = (name: string) => string

/** Throws what `call` throws; of a Fault, with the first step of each place renamed. */
export async function withArgumentNames<T>(rename: Rename, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.members.errors === undefined) throw thrown
    const errors = thrown.members.errors.map((error) => renamed(error, rename))
    throw new Fault(thrown.code, thrown.message, { ...thrown.members, errors }, thrown)
  }
}

function renamed({ pointer, parameter, ...error }: FieldError, rename: Rename): FieldError {
  const [first = '', ...rest] = (parameter ?? pointer?.slice(1) ?? '').split('/')
  return { ...error, parameter: [rename(first), ...rest].join('.') }
}
