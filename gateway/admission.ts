// The checks, in the one order that callers are promised. Each line is a question with its own file under policies/;
// the first that is answered with no throws the Fault that answers the caller.
import { mcpBodyBytesMax } from '#contract/limits.ts'
import type { Operation } from '#contract/operation.ts'
import type { Principal, Surface } from '#contract/principal.ts'
import { charge, oneCall } from './charge.ts'
import type { DenialLog } from './denials.ts'
import type { Incoming } from './incoming.ts'
import type { KeyMemory } from './key-memory.ts'
import type { Limits } from './limits.ts'
import { checkAccept, mcpTypes, restTypes } from './policies/accept.ts'
import { checkContent } from './policies/content.ts'
import { bearerToken, isToken, keyHash, unknownCredentials } from './policies/credentials.ts'
import * as check from './policies/key.ts'
import type { Judged } from './policies/mcp-calls.ts'
import { checkOrigin } from './policies/origin.ts'
import { checkSingleHeaders } from './policies/single-headers.ts'
import { workspaceId } from './policies/workspace.ts'
import { operatorPrincipal, principalOf } from './principal.ts'
import type { Tries } from './tries.ts'
import type { UsageCounter } from './usage.ts'

export type Policies = {
  readonly keys: KeyMemory
  readonly limits: Limits
  readonly tries: Tries
  readonly usage: UsageCounter
  readonly denials: DenialLog
  readonly operatorTokenHash: Buffer
}
/** What goes on to the service: who calls, and the query without what was meant for the gateway. */
export type Admitted = { readonly principal: Principal; readonly query: string }

export async function admitToApi(call: Incoming, operation: Operation, policies: Policies): Promise<Admitted> {
  const key = await usableKey(call, 'http', policies)
  const query = await charge(key, call, operation.tenancy, oneCall, policies)
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
  { tries, operatorTokenHash }: Policies,
): Promise<Admitted> {
  checkSingleHeaders(call.rawHeaders)
  const token = bearerToken(call.headers.authorization)
  await tries.check(call.address)
  if (!isToken(token, operatorTokenHash)) {
    await tries.failed(call.address)
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
  check.checkHasScopes(key)
  check.checkSurface(key, surface)
  return key
}

/** A key that is known is never held up by what others at its address have tried. */
async function knownKey(token: string, { address, trace }: Incoming, { keys, tries }: Policies): Promise<check.Key> {
  const hash = keyHash(token)
  if (hash === null || !keys.knows(hash)) await tries.check(address)
  const key = hash === null ? null : await keys.get(hash)
  if (key === null) {
    await tries.failed(address)
    throw unknownCredentials()
  }
  trace.keyId = key.id
  return key
}
