// Who calls the settings: the operator with the token, or somebody in a browser with a session.
import type { FastifyRequest } from 'fastify'
import type { Operation } from '#contract/operation.ts'
import { workspaceParameterOf } from '#contract/route-paths.ts'
import { admitOperator } from './operator-admission.ts'
import { restTypes } from './policies/accept-header.ts'
import type { IncomingCall } from './request/request-context.ts'
import { arrivalOf, type Arrival } from './request/trusted-proxies.ts'
import type { GatewayDeps } from './calls/gateway-deps.ts'
import { admitPerson, isOfPerson } from './session-admission.ts'
import type { Admitted } from './upstream/signed-principal.ts'

type AdmittedToSettings = Admitted & { readonly arrival: Arrival }

/** `types`: what the answer may be. */
export async function admitToSettings(
  call: IncomingCall,
  { params, raw }: Pick<FastifyRequest, 'params' | 'raw'>,
  operation: Operation,
  { policies, trustedProxies }: Pick<GatewayDeps, 'policies' | 'trustedProxies'>,
  types: readonly string[] = restTypes,
): Promise<AdmittedToSettings> {
  const named = params as { readonly workspaceId?: string; readonly id?: string }
  const { publicUrl } = policies.sessions
  const arrival = arrivalOf(call.headers, raw.socket.remoteAddress, { trustedProxies, publicUrl })
  const parameter = workspaceParameterOf(operation)
  const workspace = parameter === null ? undefined : named[parameter]
  const admitted = isOfPerson(call, operation, arrival)
    ? await admitPerson(call, { workspace, types, ...arrival }, operation, policies)
    : await admitOperator(call, named.workspaceId, operation, policies, types)
  return { ...admitted, arrival }
}
