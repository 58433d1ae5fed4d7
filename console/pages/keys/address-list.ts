// A list of addresses and ranges as it is typed, one a line: what each line means, what it is as the API writes it, and
// how many addresses it lets in. Pure.
import ipaddr from 'ipaddr.js'
import { contains, parseAddress, parseRange, type AddressRange } from '#runtime/ip-address.ts'
import { texts } from './texts.tsx'

export type AddressLine =
  | {
      readonly kind: 'range'
      readonly line: string
      /** As the API takes it. */
      readonly text: string
      readonly range: AddressRange
      /** Bits below the mask were cleared: more addresses are let in than the line seems to name. */
      readonly isWidened: boolean
    }
  | { readonly kind: 'unreadable'; readonly line: string }

export const addressLines = (typed: string): AddressLine[] =>
  typed
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(addressLine)

function addressLine(line: string): AddressLine {
  const range = parseRange(line)
  if (range !== null) return { kind: 'range', line, text: line.toLowerCase(), range, isWidened: false }
  const text = withoutLowerBits(line)
  const widened = text === null ? null : parseRange(text)
  return text === null || widened === null
    ? { kind: 'unreadable', line }
    : { kind: 'range', line, text, range: widened, isWidened: true }
}

/** `10.0.0.7/24` as `10.0.0.0/24`; null for what is no range. */
function withoutLowerBits(line: string): string | null {
  const bits = line.split('/')[1]
  try {
    const network = line.includes(':')
      ? ipaddr.IPv6.networkAddressFromCIDR(line)
      : ipaddr.IPv4.networkAddressFromCIDR(line)
    return `${network.toString()}/${bits}`
  } catch {
    return null
  }
}

const countedMax = 1_000_000

/** `256 IP addresses`, `more than a million IP addresses`. Ranges that overlap count twice. */
export function addressCount(lines: readonly AddressLine[]): string {
  const count = lines.reduce((sum, line) => {
    if (line.kind === 'unreadable') return sum
    const [address, length] = line.range
    return sum + 2 ** ((address.kind() === 'ipv4' ? 32 : 128) - length)
  }, 0)
  if (count > countedMax) return texts.moreThanAMillionIp
  return count === 1 ? texts.oneIpAddress : texts.ipAddresses(count.toLocaleString('en'))
}

/** Would a call from this address be refused? Not by an empty list, and not by an address that cannot be read. */
export function isShutOut(lines: readonly AddressLine[], own: string | null): boolean {
  const ranges = lines.flatMap((line) => (line.kind === 'range' ? [line.range] : []))
  const address = own === null ? null : parseAddress(own)
  return ranges.length > 0 && address !== null && !contains(ranges, address)
}
