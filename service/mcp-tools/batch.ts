// Items of `<type>.batch`, and their results as outcomes.
import { operationNamed } from '#contract/api.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Problem } from '#contract/faults/problem-details.ts'
import { UnreadableItem } from '../text/parse-json.ts'
import { callOperation } from './call-operation.ts'
import type { Exchange } from './exchange.ts'
import { outcomesAnswer, refusedBecause, type Outcome } from './outcomes.ts'
import type { ToolAnswer } from './runner.ts'

/** What an item says of itself, as far as that is text: the batch refuses what is no item. */
type BatchItem = { readonly action?: string; readonly id?: string }
export type Batch = {
  readonly type: string
  readonly items: readonly unknown[]
  readonly atomic?: boolean
  readonly dryRun?: boolean
  readonly idempotencyKey?: string
}
type Result = {
  readonly index: number
  readonly status: number
  readonly externalSource?: string
  readonly externalId?: string
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly problem?: Problem
}

/** `shown`: what of an item its outcome names. */
export async function runBatch(
  { type, items, atomic, dryRun = false, idempotencyKey }: Batch,
  exchange: Exchange,
  shown: (item: BatchItem) => Partial<Outcome>,
): Promise<ToolAnswer> {
  const operation = operationNamed(`${type}.batch`)
  const input = { items, ...(atomic !== undefined && { atomic }) }
  const outcomeOf = (result: Result): Outcome => {
    const item = textsOf(items[result.index])
    return { ...outcome(result, item, dryRun), ...shown(item) }
  }
  const { action = '' } = textsOf(items[0])
  try {
    const { body } = await callOperation(operation, input, exchange, {
      dryRun,
      idempotencyKey,
      onProgress: exchange.onProgress,
    })
    const { results } = body as { readonly results: readonly Result[] }
    return outcomesAnswer(results.map(outcomeOf), action, dryRun)
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== 'batch_failed') throw thrown
    // The contract of a batch says that this fault carries the results that were refused.
    const refused = thrown.members['results'] as readonly Result[]
    return noneDone(thrown.message, refused.map(outcomeOf), action)
  }
}

function noneDone(message: string, outcomes: readonly Outcome[], action: string): ToolAnswer {
  const { structured, text } = outcomesAnswer(outcomes, action, false)
  const [, ...lines] = text.split('\n')
  return { structured, text: [`batch_failed: ${message}`, ...lines].join('\n'), isError: true }
}

function textsOf(item: unknown): BatchItem {
  const { action, id } = item instanceof UnreadableItem ? item.texts : ((item ?? {}) as Record<string, unknown>)
  return { ...(typeof action === 'string' && { action }), ...(typeof id === 'string' && { id }) }
}

/** Longer ones are refused, and would take the room of other outcomes. */
const ownIdLengthMax = 200

function outcome(result: Result, { action, id }: BatchItem, isDryRun: boolean): Outcome {
  const { index, status, externalSource, externalId, data, problem } = result
  const named = {
    ...(id !== undefined && { id }),
    ...(externalSource !== undefined && { externalSource }),
    ...(externalId !== undefined && externalId.length <= ownIdLengthMax && { externalId }),
  }
  if (problem !== undefined) return { index, ...named, ...refusedBecause(problem) }
  if (data === null || data === undefined) return { index, ...named, ok: true }
  // What a dry run would create has no id that lasts.
  const lasts = !(isDryRun && (action === 'create' || status === 201))
  const identifier = data['identifier'] ?? data['key']
  return {
    index,
    ok: true,
    ...(lasts && { id: String(data['id']) }),
    ...(lasts && typeof identifier === 'string' && { identifier }),
    name: String(data['name'] ?? data['title']),
    version: Number(data['version']),
  }
}
