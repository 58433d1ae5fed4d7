// Many changes in one call: a batch, of which every item has an outcome.
import { runBatch, type Batch } from './batch.ts'
import type { Runner } from './runner.ts'

export const runBulk: Runner = (args, exchange) =>
  // The arguments have been validated against the tool's input.
  runBatch(args as Batch, exchange, ({ action = '' }) => ({ action: action.slice(0, 20) }))
