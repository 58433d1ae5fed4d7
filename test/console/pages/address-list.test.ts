// The list of addresses of a key while it is typed: each line is what the API will take for it, or is said to be none.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contains, parseAddress, parseRange } from '#runtime/ip-address.ts'
import { addressCount, addressLines, isShutOut } from '../../../console/pages/keys/address-list.ts'

const textsOf = (typed: string): string[] =>
  addressLines(typed).map((line) => (line.kind === 'range' ? line.text : `no: ${line.line}`))

test('an address or a range a line, with commas as well, spaces and empty lines left out', () => {
  expect(textsOf(' 192.0.2.7 \n\n10.0.0.0/24, 2001:DB8::/48,\n')).toEqual(['192.0.2.7', '10.0.0.0/24', '2001:db8::/48'])
})

test('bits below the mask are cleared, and that is told', () => {
  const [widened, exact] = addressLines('10.0.0.7/24\n10.0.0.0/24')

  expect(widened).toMatchObject({ line: '10.0.0.7/24', text: '10.0.0.0/24', isWidened: true })
  expect(exact).toMatchObject({ text: '10.0.0.0/24', isWidened: false })
  expect(textsOf('2001:db8::1/32')).toEqual(['2001:db8::/32'])
})

test('what is no range is shown as it was typed', () => {
  for (const typed of [
    'office',
    '10.0.0',
    '10.0.0.256',
    '10.0.0.0/33',
    '10.0.0.7/',
    '::1/129',
    '10.0.0.0/8/8',
    '1.2.3.4/-1',
  ])
    expect(addressLines(typed)).toEqual([{ kind: 'unreadable', line: typed }])
})

const ipv4 = fc.ipV4()
// An IPv4 address that is written as one of IPv6 keeps its 96 bits.
const ipv6 = fc.ipV6().filter((text) => parseAddress(text)?.kind() === 'ipv6')
const range = fc.oneof(
  fc.tuple(ipv4, fc.integer({ min: 0, max: 32 })),
  fc.tuple(ipv6, fc.integer({ min: 0, max: 128 })),
)

test('whatever address is typed with whatever mask, the API takes the range, and it lets that address in', () => {
  fc.assert(
    fc.property(range, ([address, bits]) => {
      const [line] = addressLines(`${address}/${bits}`)
      if (line?.kind !== 'range') throw new Error('no range')
      const taken = parseRange(line.text)
      const typed = parseAddress(address)

      expect(taken).not.toBeNull()
      expect(taken !== null && typed !== null && contains([taken], typed)).toBe(true)
    }),
  )
})

test('of any text each part is a range that the API takes, or is shown as it is', () => {
  const typed = fc.string({ unit: fc.constantFrom(...'0129af.:/,\n -x%'.split('')) })
  fc.assert(
    fc.property(typed, (text) => {
      const parts = text.split(/[\n,]/).flatMap((part) => part.trim() || [])
      const lines = addressLines(text)

      expect(lines.map(({ line }) => line)).toEqual(parts)
      for (const line of lines) if (line.kind === 'range') expect(parseRange(line.text)).toEqual(line.range)
    }),
  )
})

test('how many addresses are let in is said in words', () => {
  const typed = ['192.0.2.7', '10.0.0.0/24\n10.0.1.0/24\noffice', '10.0.0.0/16', '2001:db8::/64', 'office']
  const said = typed.map((each) => addressCount(addressLines(each)))

  const many = 'more than a million IP addresses'
  expect(said).toEqual(['one IP address', '512 IP addresses', '65,536 IP addresses', many, '0 IP addresses'])
})

test.each([
  ['', '192.0.2.7', false],
  ['10.0.0.0/24', '10.0.0.9', false],
  ['10.0.0.0/24', '10.0.1.9', true],
  ['10.0.0.0/24', null, false],
  ['10.0.0.0/24', 'unknown', false],
  ['2001:db8::/32', '10.0.0.9', true],
  ['office', '10.0.0.9', false],
])('with “%s”, is %s shut out? %s', (typed, own, isOut) => {
  expect(isShutOut(addressLines(typed), own)).toBe(isOut)
})
