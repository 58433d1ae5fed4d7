// Who is calling, as the service is told it: the key or the operator, and what the request was seen to be.
import type { Principal, Surface } from '#contract/principal.ts'
import { scopes } from '#contract/scope.ts'
import type { Incoming } from '../request/incoming-call.ts'
import type { Key } from '../policies/key.ts'

export const principalOf = ({ id, name, scopes: held }: Key, surface: Surface, call: Incoming): Principal => ({
  kind: 'api_key',
  id,
  name,
  scopes: [...held],
  surface,
  ...seen(call),
})

export const operatorPrincipal = (call: Incoming): Principal => ({
  kind: 'operator',
  id: 'operator',
  name: 'operator',
  scopes: [...scopes],
  surface: 'settings',
  ...seen(call),
})

const userAgentMax = 200

const seen = ({ address, headers, trace: { workspaceId, requestId, quota } }: Incoming) => ({
  workspaceId,
  requestId,
  clientAddress: address?.toString() ?? '',
  userAgent: headers['user-agent']?.slice(0, userAgentMax) ?? null,
  quota: quota?.key ?? null,
})
