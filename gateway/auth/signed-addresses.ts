// A signed address stands in for the key that it was made for: its signature holds the hash of the key's secret, the
// workspace, and when it ends (contract/internal/signed-address.ts). What else is said of key and workspace is ignored,
// since clients send the same headers with every call.
import type { KeyObject } from 'node:crypto'
import { Fault } from '#contract/faults/fault.ts'
import { addressContext, type SignedAddress } from '#contract/internal/signed-address.ts'
import { methodOf, type Operation } from '#contract/operation.ts'
import { signatureLengthMax, signatureParameter } from '#contract/transfer.ts'
import { unseal } from '#runtime/sealing-and-signing.ts'
import type { IncomingCall } from '../request/request-context.ts'
import { takeParameter } from '../request/request-head.ts'

/** `keyHash` is null for a call without a signature, which is as it came. */
type SignedCall = { readonly call: IncomingCall; readonly keyHash: string | null }

/** `path`: without its query. Throws `invalid_signature` and `address_expired`. */
export function signedCall(call: IncomingCall, asked: Operation, path: string, key: KeyObject): SignedCall {
  const { value: signature, rest } = takeParameter(call.query, signatureParameter)
  if (signature === undefined) return { call, keyHash: null }
  const { keyHash, workspaceId, expiresAt } = opened(signature, addressContext(methodOf(asked), path), key)
  if (expiresAt <= Date.now())
    throw new Fault('address_expired', `This URL expired at ${new Date(expiresAt).toISOString()}.`)
  const headers = { ...call.headers, 'x-workspace-id': workspaceId }
  return { call: { ...call, query: rest, headers }, keyHash }
}

function opened(signature: string, context: string, key: KeyObject): SignedAddress {
  if (signature.length > signatureLengthMax) throw invalid()
  try {
    // Only services seal.
    return JSON.parse(unseal(key, Buffer.from(signature, 'base64url'), context)) as SignedAddress
  } catch {
    throw invalid()
  }
}

const invalid = (): Fault => new Fault('invalid_signature', 'The signature does not belong to this URL.')
