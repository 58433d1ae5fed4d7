// May the key be used from this address?
import { Fault } from '#contract/fault.ts'
import { contains, type Address } from '#runtime/ip-address.ts'
import type { Key } from './key.ts'

/** `address` is null when it is not known; then only a key without an allowlist passes. */
export function checkIpAllowlist({ allowlist }: Key, address: Address | null): void {
  if (allowlist.length === 0 || (address !== null && contains(allowlist, address))) return
  throw new Fault('ip_not_allowed', `The key may not be used from ${address?.toString() ?? 'an unknown address'}.`)
}
