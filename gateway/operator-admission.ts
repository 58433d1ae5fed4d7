// The checks of a call with the operator's token, which no rate limit stands before.
import type { Operation } from '#contract/operation.ts'
import type { Policies } from './admission.ts'
import { checkAccept, restTypes } from './policies/accept-header.ts'
import { checkContent } from './policies/request-content-type.ts'
import { bearerToken, isToken, unknownCredentials } from './policies/credentials.ts'
import { checkSingleHeaders } from './policies/duplicate-headers.ts'
import { workspaceId } from './policies/workspace-selection.ts'
import type { IncomingCall } from './request/request-context.ts'
import { operatorPrincipal, type Admitted } from './upstream/signed-principal.ts'

/** The operator is bound to no workspace: the path names one where it matters. */
export async function admitOperator(
  call: IncomingCall,
  workspace: string | undefined,
  { bodyBytesMax }: Pick<Operation, 'bodyBytesMax'>,
  { failedCredentials, operatorTokenHash }: Policies,
  types: readonly string[] = restTypes,
): Promise<Admitted> {
  checkSingleHeaders(call.rawHeaders)
  const token = bearerToken(call.headers.authorization)
  if (!isToken(token, operatorTokenHash)) {
    await failedCredentials.refused(call.address)
    throw unknownCredentials()
  }
  call.context.keyId = 'operator'
  if (workspace !== undefined) call.context.workspaceId = workspaceId(workspace)
  checkAccept(call.headers.accept, types)
  await checkContent(call, bodyBytesMax)
  return { principal: operatorPrincipal(call), query: call.query }
}
