// The checks of a call with an API key, in the one order that callers are promised. Each line asks one policy (the
// `…-policies.ts` files beside this one); the first that refuses throws the Fault that answers the caller.
import { mcpBodyBytesMax } from '#contract/faults/json-rpc.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Operation } from '#contract/operation.ts'
import { decidedNamingHeader } from '#contract/tools/names.ts'
import type { Transfer } from '#contract/transfer.ts'
import type { Surface } from '#contract/surface.ts'
import type { Address } from '#runtime/ip-address.ts'
import { andThen, type MaybePromise } from '#runtime/maybe-promise.ts'
import { answerTypes, checkAccept, mcpTypes, checkContent, checkSingleHeaders, checkBytes } from './request-policies.ts'
import {
  bearerToken,
  keyHash,
  unknownCredentials,
  checkState,
  checkHasScopes,
  checkScope,
  checkSecretAge,
  checkSurface,
} from './key-policies.ts'
import { signedCall } from './signed-addresses.ts'
import { checkIpAllowlist } from './address-policies.ts'
import { type Key, warningHeaders } from '../keys/key.ts'
import type { McpRequest } from './mcp-request.ts'
import { chosenToolNames } from './tool-names.ts'
import { checkBoundWorkspace, selectWorkspace } from './workspace-policies.ts'
import { costOfCall, costOfMcp, declaredTokens, type Cost } from '../rate-limit/call-cost.ts'
import { consume } from '../rate-limit/limiter.ts'
import type { FailedCredentials } from '../rate-limit/failed-credentials.ts'
import { useOf } from '../reports/key-usage.ts'
import type { IncomingCall } from '../request/request-context.ts'
import { keyPrincipal, type Admitted } from '../upstream/signed-principal.ts'
import type { AdmissionDeps } from './admission-deps.ts'

/** A promise only where a key has to be fetched, or tokens asked for. */
export const admitToApi = (call: IncomingCall, operation: Operation, policies: AdmissionDeps): MaybePromise<Admitted> =>
  andThen(usableKey(call, 'http', policies), (key) => {
    const cost = costOfCall(declaredTokens(call.headers, operation.bodyBytesMax))
    return andThen(consumeInWorkspace(key, call, operation.tenancy, cost, policies), (query) => {
      checkScope(key, operation.scope)
      checkAccept(call.headers.accept, answerTypes(operation))
      return andThen(checkContent(call, operation.bodyBytesMax), () => ({
        principal: keyPrincipal(key, 'http', call),
        query,
      }))
    })
  })

/**
 * An upload or a download, with a key or by a signed address (`signed-addresses.ts`): that is judged as a call with the
 * key that it was made for. What goes in and out is no JSON, of which no type is asked. A place is bounded for it, and
 * not its size, which costs no tokens.
 */
export const admitToTransfer = (
  call: IncomingCall,
  path: string,
  { asked, direction }: Transfer,
  policies: AdmissionDeps,
): MaybePromise<Admitted> => {
  const signed = signedCall(call, asked, path, policies.addressKey)
  const { call: judged, keyHash } = signed
  return andThen(usableKey(judged, 'http', policies, keyHash), (key) =>
    andThen(consumeInWorkspace(key, judged, asked.tenancy, costOfCall(1), policies), (query) => {
      checkScope(key, asked.scope)
      if (direction === 'upload') checkBytes(judged.headers, asked.bodyBytesMax)
      return { principal: keyPrincipal(key, 'http', judged), query }
    }),
  )
}

/** By any method that MCP is called with, a wrong key is the first thing that its caller has to learn of. */
export const admitKeyToMcp = async (call: IncomingCall, policies: AdmissionDeps): Promise<Key> =>
  usableKey(call, 'mcp', policies)

/**
 * Before an MCP body is read: what it asks for is known only then, so type and size come before limit and workspace.
 */
export async function admitToMcp(call: IncomingCall, policies: AdmissionDeps): Promise<Key> {
  const key = await admitKeyToMcp(call, policies)
  checkAccept(call.headers.accept, mcpTypes)
  await checkContent(call, mcpBodyBytesMax)
  return key
}

/** Once the body is read. One that cannot be served costs all the same. */
export async function admitMcpRequest(
  call: IncomingCall,
  key: Key,
  { request, body }: { readonly request: McpRequest; readonly body: Buffer | null },
  policies: AdmissionDeps,
): Promise<Admitted> {
  if (request.fault === null) {
    call.context.tool = request.tool
    call.context.objectId = request.objectId
    call.context.toolChanges = request.changes
  }
  const cost = costOfMcp(request, body)
  const query = await taking(request, async () => consumeInWorkspace(key, call, 'workspace', cost, policies))
  if (request.fault !== null) throw request.fault
  checkScope(key, request.scope)
  const chosen = chosenToolNames(key, query, call.headers)
  const naming = await policies.listedNames.decide({ ...clientOf(call, key), ...request, chosen })
  return { principal: keyPrincipal(key, 'mcp', call), query: '', told: { [decidedNamingHeader]: naming } }
}

/** A client that is made anew for each conversation meets the limit where it says hello. */
async function taking<T>({ handshake }: McpRequest, consume: () => Promise<T>): Promise<T> {
  try {
    return await consume()
  } catch (thrown) {
    if (!handshake || !(thrown instanceof Fault) || thrown.code !== 'rate_limited') throw thrown
    throw new Fault(thrown.code, thrown.message, { ...thrown.members, hint: keepOneClient })
  }
}

const keepOneClient =
  'Each `initialize` and `server/discover` counts as a call: keep one client for many conversations.'

const clientOf = ({ headers }: IncomingCall, { id }: Key) => ({
  keyId: id,
  userAgent: headers['user-agent'],
  sessionId: [headers['mcp-session-id']].flat()[0],
})

/** `signedHash`: of a signed address, in place of a token. */
function usableKey(
  call: IncomingCall,
  surface: Surface,
  policies: AdmissionDeps,
  signedHash: string | null = null,
): MaybePromise<Key> {
  checkSingleHeaders(call.rawHeaders)
  const hash = signedHash ?? keyHash(bearerToken(call.headers.authorization))
  return andThen(knownKey(hash, call, policies), (key) => {
    checkKey(key, call, surface)
    return key
  })
}

function checkKey(key: Key, call: IncomingCall, surface: Surface): void {
  const now = Date.now()
  call.context.keyWarnings = warningHeaders(key.warnings, now)
  // One comparison for nearly every call. Past the deadline it is asked what has ended, in the order that is promised.
  const isPastDeadline = now >= key.deadline
  if (isPastDeadline) checkState(key, now)
  checkIpAllowlist(key, call.address)
  call.context.isOnAllowlist = key.allowlist.length > 0
  if (isPastDeadline) {
    checkSecretAge(key, now)
    checkBoundWorkspace(key, now)
  }
  checkHasScopes(key)
  checkSurface(key, surface)
}

function knownKey(hash: string | null, { address, context }: IncomingCall, policies: AdmissionDeps): MaybePromise<Key> {
  const { rateLimiter, failedCredentials } = policies
  return andThen(hash === null ? null : foundKey(hash, address, policies), (key) => {
    if (key === null) return refuseUnknown(address, failedCredentials)
    context.keyId = key.id
    context.rateSubject = rateLimiter.subjectOf(key, null)
    return key
  })
}

/** A key that is not in the cache makes work, and may be held up by what others at its address have tried. */
const foundKey = (
  hash: string,
  address: Address | null,
  { keys, failedCredentials }: AdmissionDeps,
): MaybePromise<Key | null> =>
  keys.has(hash) ? keys.get(hash) : failedCredentials.lookUp(address, async () => keys.get(hash))

async function refuseUnknown(address: Address | null, failedCredentials: FailedCredentials): Promise<never> {
  await failedCredentials.refused(address)
  throw unknownCredentials()
}

/**
 * Returns the query without what named the workspace. The rate limit comes before anything is said of the workspace, so
 * that a caller who tries many of them is limited like any other; a call that cannot be served costs all the same.
 */
function consumeInWorkspace(
  key: Key,
  call: IncomingCall,
  tenancy: Operation['tenancy'],
  cost: Cost,
  { rateLimiter, usage, previousSecrets }: AdmissionDeps,
): MaybePromise<string> {
  const { context, headers } = call
  const selected = selectWorkspace(key, tenancy, call.query, headers['x-workspace-id'], Date.now())
  context.workspaceId = selected.workspaceId
  context.rateSubject = rateLimiter.subjectOf(key, selected.workspaceId)
  return andThen(consume(context.rateSubject, cost, context, rateLimiter), () => {
    usage.count(useOf(key.id, cost.calls, call))
    if (key.hasNewerSecret) previousSecrets.count(useOf(key.id, 1, call))
    if (selected.fault !== null) throw selected.fault
    return selected.query
  })
}
