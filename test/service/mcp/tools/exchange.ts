// An exchange with a client, for tools that are called without a service.

import { scopes as allScopes } from '#contract/scopes.ts'
import type { Caller, Exchange } from '../../../../service/mcp/tools/runner.ts'
import type { Execute } from '../../../../service/execution/call.ts'

type Change = Partial<Caller> & { readonly scopes?: readonly string[]; readonly execute?: Execute }

const noOperation: Execute = () => Promise.reject(new Error('No operation is expected.'))

export const exchangeOf = ({ scopes = allScopes, execute = noOperation, ...caller }: Change = {}): Exchange => ({
  caller: {
    principal: {
      kind: 'api_key',
      id: 'key',
      name: 'Test',
      workspaceId: '01999999-0000-7000-8000-000000000001',
      scopes: [...scopes],
      surface: 'mcp',
      requestId: 'request-1',
      clientAddress: '127.0.0.1',
      quota: null,
    },
    isReadonly: false,
    toolsets: null,
    naming: 'dots',
    hasStructuredContent: true,
    ...caller,
  },
  execute,
  signal: new AbortController().signal,
})
