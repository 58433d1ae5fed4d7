// The checks of a call of the settings, by the operator with the token or by a person with a session: a page in a
// browser that sends a cookie. The service is asked for the session with each call, so one that was ended is refused at
// once. No rate limit stands before the operator.
import type { FastifyRequest } from 'fastify'
import type { Operation } from '#contract/operation.ts'
import { workspaceParameterOf } from '#contract/route-paths.ts'
import { answerTypes, checkAccept, checkSingleHeaders, checkContent } from './request-policies.ts'
import type { IncomingCall } from '../request/request-context.ts'
import { arrivalOf, type Arrival } from '../request/trusted-proxies.ts'
import { type Admitted, personPrincipal, visitorPrincipal, operatorPrincipal } from '../upstream/signed-principal.ts'
import { Fault } from '#contract/faults/fault.ts'
import { forOperator, notSignedIn } from '#contract/faults/fault.ts'
import type { SessionRecord } from '#contract/internal/gateway-endpoints.ts'
import type { AddressRange } from '#runtime/ip-address.ts'
import { tokenHashHex } from '#runtime/bearer-tokens.ts'
import { checkSameOrigin } from './address-policies.ts'
import { sessionTokenIn } from '../request/session-cookie.ts'
import { workspaceId } from './workspace-policies.ts'
import { bearerToken, isTokenOf, unknownCredentials } from './key-policies.ts'
import type { AdmissionDeps } from './admission-deps.ts'

type AdmittedToSettings = Admitted & { readonly arrival: Arrival }

/** `types`: what the answer may be. */
export async function admitToSettings(
  call: IncomingCall,
  { params, raw }: Pick<FastifyRequest, 'params' | 'raw'>,
  operation: Operation,
  { policies, trustedProxies }: { readonly policies: AdmissionDeps; readonly trustedProxies: readonly AddressRange[] },
  types: readonly string[] = answerTypes(operation),
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

type Arrived = Arrival & {
  /** As the path names it. */
  readonly workspace: string | undefined
  /** What the answer may be. */
  readonly types: readonly string[]
}

/** Whether a call is judged by its session: what the operator may call, they call with their token. */
function isOfPerson({ headers }: IncomingCall, { admits }: Operation, arrival: Arrival): boolean {
  if (admits === 'anyone' || admits === 'account') return true
  return headers.authorization === undefined && sessionTokenIn(headers.cookie, arrival) !== null
}

async function admitPerson(
  call: IncomingCall,
  { workspace, types, ...arrival }: Arrived,
  { admits, bodyBytesMax }: Operation,
  { failedCredentials, sessions }: AdmissionDeps,
): Promise<Admitted> {
  checkSingleHeaders(call.rawHeaders)
  if (arrival.transport === 'open')
    throw new Fault('https_required', 'Signing in needs HTTPS, except from a browser on the server itself.')
  checkSameOrigin(call.method, call.headers, arrival.ownOrigins)
  const named = workspace === undefined ? null : workspaceId(workspace)
  const token = sessionTokenIn(call.headers.cookie, arrival)
  const hash = token === null ? null : tokenHashHex(token)
  const session =
    hash === null ? null : await failedCredentials.lookUp(call.address, () => sessions.fetch(hash, named), hash)
  if (session === null && admits !== 'anyone') throw notSignedIn()
  if (admits === 'operator') throw forOperator('This')
  if (session !== null && named !== null) checkMember(session)
  call.context.workspaceId = named
  checkAccept(call.headers.accept, types)
  await checkContent(call, bodyBytesMax)
  const principal = session === null ? visitorPrincipal(call) : personPrincipal(session, named, call)
  return { principal, query: call.query }
}

/** A workspace that does not exist is answered alike. */
function checkMember({ member }: SessionRecord): void {
  if (member === null) throw new Fault('workspace_not_allowed', 'You are not an active member of this workspace.')
  if (member.suspended) throw new Fault('workspace_suspended', 'This workspace is suspended.')
  if (member.lacksSecondFactor === true)
    throw new Fault(
      'second_factor_required',
      'This workspace requires two-factor authentication. Set it up for your account.',
    )
}

/** The operator is bound to no workspace: the path names one where it matters. */
async function admitOperator(
  call: IncomingCall,
  workspace: string | undefined,
  { bodyBytesMax }: Pick<Operation, 'bodyBytesMax'>,
  { failedCredentials, operatorTokenHashes }: AdmissionDeps,
  types: readonly string[],
): Promise<Admitted> {
  checkSingleHeaders(call.rawHeaders)
  const token = bearerToken(call.headers.authorization)
  if (!isTokenOf(token, operatorTokenHashes)) {
    await failedCredentials.refused(call.address)
    throw unknownCredentials()
  }
  call.context.keyId = 'operator'
  if (workspace !== undefined) call.context.workspaceId = workspaceId(workspace)
  checkAccept(call.headers.accept, types)
  await checkContent(call, bodyBytesMax)
  return { principal: operatorPrincipal(call), query: call.query }
}
