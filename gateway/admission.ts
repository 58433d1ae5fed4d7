// The checks, in the one order that callers are promised. Each line is a question with its own file under policies/;
// the first that is answered with no throws the Fault that answers the caller.
import { mcpBodyBytesMax } from '#contract/size-limits.ts'
import type { Operation } from '#contract/operation.ts'
import type { Principal, Surface } from '#contract/principal.ts'
import { charge, oneCall } from './rate-limit/consume.ts'
import type { DenialLog } from './reports/denied-calls.ts'
import type { Incoming } from './request/incoming-call.ts'
import type { KeyMemory } from './key-cache.ts'
import type { Limits } from './rate-limit/rate-limiter.ts'
import { checkAccept, mcpTypes, restTypes } from './policies/accept.ts'
import { checkContent } from './policies/content-headers.ts'
import { declaredTokens } from './policies/body-cost.ts'
import { bearerToken, isToken, keyHash, unknownCredentials } from './policies/credentials.ts'
import * as check from './policies/key.ts'
import type { Judged } from './policies/mcp-body.ts'
import { checkOrigin } from './policies/origin.ts'
import { checkSingleHeaders } from './policies/duplicate-headers.ts'
import { workspaceId } from './policies/workspace.ts'
import { operatorPrincipal, principalOf } from './upstream/principal.ts'
import type { FailedCredentials } from './rate-limit/failed-credentials.ts'
import type { UsageCounter } from './reports/usage.ts'

export type Policies = {
  readonly keys: KeyMemory
  readonly limits: Limits
  readonly failed: FailedCredentials
  readonly usage: UsageCounter
  readonly denials: DenialLog
  readonly operatorTokenHash: Buffer
}
/** What goes on to the service: who calls, and the query without what was meant for the gateway. */
export type Admitted = { readonly principal: Principal; readonly query: string }

export async function admitToApi(call: Incoming, operation: Operation, policies: Policies): Promise<Admitted> {
  const key = await usableKey(call, 'http', policies)
  const tokens = declaredTokens(call.headers, operation.bodyBytesMax)
  const query = await charge(key, call, operation.tenancy, oneCall(tokens), policies)
  check.checkScope(key, operation.scope)
  checkAccept(call.headers.accept, restTypes)
  checkContent(call.method, call.headers, operation.bodyBytesMax)
  return { principal: principalOf(key, 'http', call), query }
}

/** Before an MCP body is read: what it asks for is known only then, so type and size come before limit and workspace. */
export async function admitToMcp(call: Incoming, policies: Policies): Promise<check.Key> {
  checkOrigin(call.headers.origin, call.headers.host)
  const key = await usableKey(call, 'mcp', policies)
  checkAccept(call.headers.accept, mcpTypes)
  checkContent(call.method, call.headers, mcpBodyBytesMax)
  return key
}

/** Once the body is judged. One that cannot be served is charged all the same. */
export async function admitMcpCalls(
  call: Incoming,
  key: check.Key,
  judged: Judged,
  policies: Policies,
): Promise<Admitted> {
  const query = await charge(key, call, 'workspace', judged, policies)
  if (judged.fault !== null) throw judged.fault
  check.checkScope(key, judged.scope)
  return { principal: principalOf(key, 'mcp', call), query }
}

/** The operator is bound to no workspace: the path names one where it matters. */
export async function admitOperator(
  call: Incoming,
  workspace: string | undefined,
  { bodyBytesMax }: Operation,
  { failed, operatorTokenHash }: Policies,
): Promise<Admitted> {
  checkSingleHeaders(call.rawHeaders)
  const token = bearerToken(call.headers.authorization)
  if (!isToken(token, operatorTokenHash)) {
    await failed.refused(call.address)
    throw unknownCredentials()
  }
  call.trace.keyId = 'operator'
  if (workspace !== undefined) call.trace.workspaceId = workspaceId(workspace)
  checkAccept(call.headers.accept, restTypes)
  checkContent(call.method, call.headers, bodyBytesMax)
  return { principal: operatorPrincipal(call), query: call.query }
}

async function usableKey(call: Incoming, surface: Surface, policies: Policies): Promise<check.Key> {
  checkSingleHeaders(call.rawHeaders)
  const token = bearerToken(call.headers.authorization)
  const key = await knownKey(token, call, policies)
  const now = Date.now()
  check.checkState(key, now)
  check.checkAddress(key, call.address)
  check.checkRotation(key, now)
  check.checkPolicy(key, now)
  check.checkHasScopes(key)
  check.checkSurface(key, surface)
  return key
}

async function knownKey(token: string, { address, trace }: Incoming, { keys, failed }: Policies): Promise<check.Key> {
  const hash = keyHash(token)
  const key = hash === null ? null : await keyOf(hash, address, keys, failed)
  if (key === null) {
    await failed.refused(address)
    throw unknownCredentials()
  }
  trace.keyId = key.id
  return key
}

/** Only what this gateway has not heard of makes work, and may be held up by what others at its address have tried. */
function keyOf(
  hash: string,
  address: Incoming['address'],
  keys: KeyMemory,
  failed: FailedCredentials,
): Promise<check.Key | null> {
  const ask = () => keys.get(hash)
  return keys.knows(hash) ? ask() : failed.lookUp(address, ask)
}
