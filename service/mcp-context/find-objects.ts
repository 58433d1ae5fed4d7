// Lists of objects by the list of their collection.
import type { CollectionSegment } from '#contract/scopes.ts'
import { callOperation } from '../mcp-tools/call-operation.ts'
import type { Exchange } from '../mcp-tools/exchange.ts'
import { kinds, operationOf, type Fields } from './kinds.ts'

export type Page = {
  readonly data: readonly Fields[]
  readonly page: { readonly nextCursor: string | null; readonly total?: number }
}

/** A page with what a list shows of each, newest change first. `input` adds filters, and takes precedence. */
export async function listObjects(
  segment: CollectionSegment,
  input: Readonly<Record<string, unknown>>,
  exchange: Exchange,
): Promise<Page> {
  const asked = { sort: ['-updatedAt'], fields: kinds[segment].brief, ...input }
  const { body } = await callOperation(operationOf(segment, 'list'), asked, exchange)
  // The output of every list: a page of objects with their ids.
  return body as Page
}
