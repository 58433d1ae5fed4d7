// Restores objects: a batch that does nothing else, so that each id has an outcome of its own.
import { runBatch } from './batch.ts'
import type { Runner } from './runner.ts'

type RestoreArguments = {
  readonly type: string
  readonly ids: readonly string[]
  readonly dryRun?: boolean
  readonly idempotencyKey?: string
}

export const runRestore: Runner = (args, exchange) => {
  // The arguments have been validated against the tool's input.
  const { ids, ...more } = args as RestoreArguments
  const items = ids.map((id) => ({ action: 'restore', id }))
  return runBatch({ ...more, items }, exchange, ({ id = '' }) => ({ id }))
}
