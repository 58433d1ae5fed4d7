// A caller as the gateway would have settled it, for measuring the service without a gateway: the bench deploys the
// service and so holds the secret that the header is signed with.
import { createHmac, hkdfSync } from 'node:crypto'
import type { Principal } from '#contract/principal.ts'
import type { Deployment } from './settings.ts'

/** Headers of a call with a key of this workspace. */
export function actingIn(workspaceId: string, { internalSecret }: Deployment): Record<string, string> {
  const principal: Principal = {
    ...{ kind: 'api_key', id: 'bench', name: 'Bench', workspaceId, surface: 'http' },
    ...{ scopes: ['projects:read', 'projects:write'], requestId: 'bench', clientAddress: '127.0.0.1', quota: null },
  }
  const payload = Buffer.from(JSON.stringify(principal)).toString('base64url')
  const key = Buffer.from(hkdfSync('sha256', internalSecret, '', 'principal', 32))
  return { 'x-internal-principal': `${payload}.${createHmac('sha256', key).update(payload).digest('base64url')}` }
}
