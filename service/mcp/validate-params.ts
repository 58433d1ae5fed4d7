// The parameters of each method, validated by the SDK's own schemas to tell what the SDK has refused: its own words are a dump of them.
import {
  CallToolRequestParamsSchema,
  CompleteRequestParamsSchema,
  GetPromptRequestParamsSchema,
  InitializeRequestParamsSchema,
  PaginatedRequestParamsSchema,
  ReadResourceRequestParamsSchema,
  SubscriptionsListenRequestParamsSchema,
} from '@modelcontextprotocol/core'
import { describeIssue, type Issue } from './schema-issues.ts'

type Schema = { safeParse(value: unknown): { readonly error?: { readonly issues: readonly Issue[] } | undefined } }

const schemas = new Map<string, Schema>([
  ['initialize', InitializeRequestParamsSchema],
  ['tools/list', PaginatedRequestParamsSchema],
  ['tools/call', CallToolRequestParamsSchema],
  ['resources/list', PaginatedRequestParamsSchema],
  ['resources/templates/list', PaginatedRequestParamsSchema],
  ['resources/read', ReadResourceRequestParamsSchema],
  ['prompts/list', PaginatedRequestParamsSchema],
  ['prompts/get', GetPromptRequestParamsSchema],
  ['completion/complete', CompleteRequestParamsSchema],
  ['subscriptions/listen', SubscriptionsListenRequestParamsSchema],
])

/** What is wrong with the parameters, in a sentence; null where they are valid. */
export function paramsFlaw(method: string, params: object = {}): string | null {
  const [issue] = schemas.get(method)?.safeParse(params).error?.issues ?? []
  return issue === undefined ? null : describeIssue(issue, ['params'])
}
