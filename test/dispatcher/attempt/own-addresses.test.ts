import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { isOwnAddress } from '../../../dispatcher/attempt/ssrf-guard.ts'

test('the addresses of this machine are its own, however they are written', () => {
  const interfaces = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const own = interfaces.map(({ address }) => address)

  for (const address of [...own, '127.0.0.1', '::ffff:127.0.0.1', '0.0.0.0', '::1', '0:0:0:0:0:0:0:1', '::'])
    expect(isOwnAddress(address), address).toBe(true)
})

test.each(['93.184.216.34', '2606:4700::1111', '169.254.169.254', 'nonsense'])('%s is none of them', (address) => {
  expect(isOwnAddress(address)).toBe(false)
})
