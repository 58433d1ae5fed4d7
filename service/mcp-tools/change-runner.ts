// The tools that create and update. They answer with what tells the object apart and with the fields that were given.
import type { Operation } from '#contract/operation.ts'
import type { CollectionSegment } from '#contract/scopes.ts'
import { type Arguments, maxTokensDefault } from '#contract/tools/tool.ts'
import { callOperation } from './call-operation.ts'
import { conciseFields, picked, type Fields } from './concise-fields.ts'
import type { Exchange } from './exchange.ts'
import { objectAnswer } from './get-runner.ts'
import type { Runner } from './runner.ts'

type Changed = {
  readonly segment: CollectionSegment
  readonly operation: Operation
  /** As in `Created.` */
  readonly done: string
}

export function changeRunner({ segment, operation, done }: Changed): Runner {
  return async (args, exchange) => {
    const { body, note, marks } = await change(operation, args, exchange, done)
    const given = Object.keys(args).filter((name) => !longTexts.has(name))
    const { structured, text } = objectAnswer(picked(body, [...conciseFields[segment], ...given]), maxTokensDefault)
    return { structured: { ...marks, ...structured }, text: `${note}\n${text}` }
  }
}

/** The caller has just written them. */
const longTexts = new Set(['content', 'description', 'summary'])

type Outcome = {
  readonly body: Fields
  /** The first line of the answer. */
  readonly note: string
  readonly marks: { readonly dryRun?: true }
}

export async function change(
  operation: Operation,
  { idempotencyKey, dryRun, ...input }: Arguments,
  exchange: Exchange,
  done: string,
): Promise<Outcome> {
  // Both have been validated against the tool's input.
  const options = { idempotencyKey: idempotencyKey as string | undefined, dryRun: dryRun === true }
  // A repeated call with the same key is answered as the first one was.
  const { body } = await callOperation(operation, input, exchange, options)
  const outcome = options.dryRun
    ? { note: 'Dry run: nothing was changed. It would be:', marks: { dryRun: true } as const }
    : { note: done, marks: {} }
  return { body: body as Fields, ...outcome }
}
