// The arguments that say how an answer is to be, beside those that go to the operation.
import { type Arguments, maxTokensDefault } from '#contract/tools/tool.ts'
import type { Operation } from '#contract/operation.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import { didYouMean } from '../text/suggestion.ts'
import { refusedFields } from '../validation/unknown-field.ts'

export type AnswerOptions = {
  readonly isFull: boolean
  readonly fields: readonly string[] | null
  readonly maxTokens: number
}

/** `args` have been validated against the tool's input. */
export function answerOptions(args: Arguments): { readonly options: AnswerOptions; readonly rest: Arguments } {
  const { detail, fields = null, maxTokens = maxTokensDefault, ...rest } = args as Asked
  return { options: { isFull: detail === 'full', fields, maxTokens }, rest }
}

type Asked = Arguments & {
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
            ...{ pointer: `/fields/${at}`, code: 'not_in_list' as const, allowed: known },
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
