// A refusal as it is kept: from what was known of the call when it was over. The caller words the request id and parts
// of the detail; a token in either does not get through.
import type { Fault } from '#contract/faults/fault.ts'
import type { Refusal } from '#contract/refusals.ts'
import { addressText } from '#runtime/ip-address.ts'
import { maskedText } from '#runtime/log.ts'
import type { BucketState, RequestContext } from '../request/request-context.ts'
import { refusedBy } from './refusing-policies.ts'

export type RefusedCall = {
  readonly method: string
  readonly route: string
  readonly context: RequestContext
  readonly fault: Fault
}

const detailLengthMax = 500

export function refusalRecord({ method, route, context, fault }: RefusedCall, at: Date): Refusal {
  const { requestId, keyId, workspaceId, address } = context
  return {
    object: 'refusal',
    requestId,
    at: at.toISOString(),
    ...{ status: fault.status, code: fault.code, refusedBy: refusedBy(fault.code) },
    detail: maskedText(fault.message).slice(0, detailLengthMax),
    ...{ method, route, apiKeyId: keyId === 'operator' ? null : keyId, workspaceId },
    clientAddress: address === null ? null : addressText(address),
    facts: factsOf(fault, context),
  }
}

/** One whose id may hold a secret is not kept: it could not be asked for without it. */
export const mayBeKept = ({ requestId }: RequestContext): boolean => maskedText(requestId) === requestId

const factsOf = ({ code, members }: Fault, { quota, isOnAllowlist }: RequestContext): Refusal['facts'] => ({
  ipAllowlist: code === 'ip_not_allowed' ? 'missed' : isOnAllowlist ? 'matched' : null,
  rateLimit:
    quota === null
      ? null
      : { key: figuresOf(quota.key), workspace: quota.workspace === null ? null : figuresOf(quota.workspace) },
  violatedPolicies: textsIn(members['violated-policies']),
  requiredScopes: textsIn(members['requiredScopes']),
  retryAfterSeconds: members.retryAfterSeconds ?? null,
})

const figuresOf = ({ limit, remaining, resetSeconds }: BucketState) => ({ limit, remaining, resetSeconds })

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
