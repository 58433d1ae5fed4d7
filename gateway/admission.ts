// The checks, in the one order that callers are promised. Each line is a question with its own file under policies/;
// the first that is answered with no throws the Fault that answers the caller.
import { Fault } from '#contract/fault.ts'
import { apiBodyBytesMax, mcpBodyBytesMax } from '#contract/limits.ts'
import type { Operation } from '#contract/operation.ts'
import type { Principal, Surface } from '#contract/principal.ts'
import type { Incoming } from './incoming.ts'
import type { KeyMemory } from './key-memory.ts'
import type { KeyLimits, Tries } from './limits.ts'
import { checkAccept, mcpTypes, restTypes } from './policies/accept.ts'
import { checkContent } from './policies/content.ts'
import { bearerToken, isToken, keyHash, unknownCredentials } from './policies/credentials.ts'
import * as check from './policies/key.ts'
import type { Judged } from './policies/mcp-calls.ts'
import { checkOrigin } from './policies/origin.ts'
import { checkSingleHeaders } from './policies/single-headers.ts'
import { chooseWorkspace, takeWorkspaceId, workspaceId } from './policies/workspace.ts'
import { operatorPrincipal, principalOf } from './principal.ts'
import type { UsageCounter } from './usage.ts'

export type Policies = {
  readonly keys: KeyMemory
  readonly limits: KeyLimits
  readonly tries: Tries
  readonly usage: UsageCounter
  readonly operatorTokenHash: Buffer
}
/** What goes on to the service: who calls, and the query without what was meant for the gateway. */
export type Admitted = { readonly principal: Principal; readonly query: string }

export async function admitToApi(call: Incoming, operation: Operation, policies: Policies): Promise<Admitted> {
  const key = await usableKey(call, 'http', policies)
  await charge(key, call, { calls: 1, exempt: false }, policies)
  const query = inWorkspace(key, call, operation.tenancy)
  check.checkScope(key, operation.scope)
  checkAccept(call.headers.accept, restTypes)
  checkContent(call.method, call.headers, apiBodyBytesMax)
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
  await charge(key, call, judged, policies)
  if (judged.fault !== null) throw judged.fault
  const query = inWorkspace(key, call, 'workspace')
  check.checkScope(key, judged.scope)
  return { principal: principalOf(key, 'mcp', call), query }
}

/** The operator is bound to no workspace: the path names one where it matters. */
export async function admitOperator(
  call: Incoming,
  workspace: string | undefined,
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
  checkContent(call.method, call.headers, apiBodyBytesMax)
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

type Cost = { readonly calls: number; readonly exempt: boolean }

async function charge(key: check.Key, call: Incoming, { calls, exempt }: Cost, policies: Policies): Promise<void> {
  const { allowed, ...quota } = await policies.limits.take(key.id, calls)
  call.trace.quota = quota
  if (!allowed && !exempt) throw rateLimited(quota.resetSeconds)
  const userAgent = call.headers['user-agent'] ?? null
  policies.usage.count({ keyId: key.id, calls, address: call.address?.toString() ?? '', userAgent })
}

/** The query without what named the workspace. */
function inWorkspace(key: check.Key, call: Incoming, tenancy: Operation['tenancy']): string {
  const { named, rest } = takeWorkspaceId(call.query)
  if (tenancy === 'none') return rest
  const header = call.headers['x-workspace-id']
  call.trace.workspaceId = chooseWorkspace(key, {
    header: typeof header === 'string' ? header : undefined,
    query: named,
  })
  return rest
}

const rateLimited = (retryAfterSeconds: number): Fault =>
  new Fault('rate_limited', 'The key has used up its requests for now.', {
    retryAfterSeconds,
    'violated-policies': ['key'],
  })
