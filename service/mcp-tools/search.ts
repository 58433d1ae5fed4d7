// The tool that searches.
import { search } from '#contract/search.ts'
import { callOperation } from './call-operation.ts'
import type { Runner } from './runner.ts'
import { rows } from './text-rendering.ts'

export const runSearch: Runner = async (args, exchange) => {
  const { body } = await callOperation(search, args, exchange)
  return { structured: body, text: rows(body.data) }
}
