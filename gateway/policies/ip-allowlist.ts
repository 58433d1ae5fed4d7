// May the key be used from this address?
import { Fault } from '#contract/faults/fault.ts'
import { contains, type Address } from '#runtime/ip-address.ts'
import type { Key } from './key.ts'

/**
 * The key for which an address was found on the list last. An address is one object for as long as a connection sends the
 * same, and a key one for as long as its record is the same.
 */
const allowedLast = new WeakMap<Address, Key>()

/** `address` is null when it is not known; then only a key without an allowlist passes. */
export function checkIpAllowlist(key: Key, address: Address | null): void {
  const { allowlist } = key
  if (allowlist.length === 0) return
  if (address !== null && (allowedLast.get(address) === key || contains(allowlist, address)))
    return void allowedLast.set(address, key)
  throw new Fault('ip_not_allowed', `The key may not be used from ${address?.toString() ?? 'an unknown address'}.`)
}
