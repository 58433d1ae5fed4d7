// The checks of a call of the settings by somebody who is, or may be, signed in: a page in a browser, with the cookie of a
// session. The service is asked for the session with each call, so that one that was ended is refused at once.
import { Fault, forOperator, notSignedIn } from '#contract/faults/fault.ts'
import type { SessionRecord } from '#contract/internal/gateway-endpoints.ts'
import type { Operation } from '#contract/operation.ts'
import { tokenHashHex } from '#runtime/bearer-tokens.ts'
import type { Policies } from './admission.ts'
import { checkAccept } from './policies/accept-header.ts'
import { checkSingleHeaders } from './policies/duplicate-headers.ts'
import { checkContent } from './policies/request-content-type.ts'
import { checkSameOrigin } from './policies/same-origin.ts'
import { sessionTokenIn } from './policies/session-cookie.ts'
import { workspaceId } from './policies/workspace-selection.ts'
import type { IncomingCall } from './request/incoming-call.ts'
import type { Arrival } from './request/transport.ts'
import { personPrincipal, visitorPrincipal, type Admitted } from './upstream/signed-principal.ts'

type Asked = Arrival & {
  /** As the path names it. */
  readonly workspace: string | undefined
  /** What the answer may be. */
  readonly types: readonly string[]
}

/** Whether a call is to be judged by its session: what the operator may call, he calls with his token. */
export function isOfPerson({ headers }: IncomingCall, { admits }: Operation, arrival: Arrival): boolean {
  if (admits === 'anyone' || admits === 'account') return true
  return headers.authorization === undefined && sessionTokenIn(headers.cookie, arrival) !== null
}

export async function admitPerson(
  call: IncomingCall,
  { workspace, types, ...arrival }: Asked,
  { admits, bodyBytesMax }: Operation,
  { failedCredentials, sessions }: Policies,
): Promise<Admitted> {
  checkSingleHeaders(call.rawHeaders)
  if (arrival.transport === 'open')
    throw new Fault('https_required', 'Signing in needs https, except on this machine itself.')
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
  if (member === null) throw new Fault('workspace_not_allowed', 'You are no active member of this workspace.')
  if (member.suspended) throw new Fault('workspace_suspended', 'This workspace is suspended.')
}
