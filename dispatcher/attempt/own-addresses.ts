// The addresses at which this process is reached itself. Where it listens, no webhook leads, whatever the operator allows.
import { networkInterfaces } from 'node:os'
import { addressText, contains, parseAddress, ranges } from '#runtime/ip-address.ts'

/** A connection to the unspecified address goes to this machine as well. */
const ownRanges = ranges(['127.0.0.0/8', '0.0.0.0/8', '::1', '::'])

export function isOwnAddress(text: string): boolean {
  const address = parseAddress(text)
  if (address === null) return false
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return contains(ownRanges, address) || own.some((each) => each.address === addressText(address))
}
