// The address that a connection was made to is judged once more, whatever was judged before it was made.
import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { TargetError } from '../../../dispatcher/attempt/network-errors.ts'
import { guardedConnector, isOwnAddress } from '../../../dispatcher/attempt/ssrf-guard.ts'
import { eventually } from '../../support/eventually.ts'
import { tcp } from './wire.ts'

const loopback = async () => [{ address: '127.0.0.1', family: 4 as const }]

function connected(connect: ReturnType<typeof guardedConnector>, hostname: string, port: number): Promise<unknown> {
  const target = { hostname, host: hostname, port: String(port), protocol: 'http:' }
  return new Promise((resolve) => connect(target, (error, socket) => resolve(error ?? socket?.destroy())))
}

test.each(['receiver.example', '127.0.0.1'])(
  'a connection to %s is ended unused where the address that it reached is not permitted',
  async (hostname) => {
    let bytes = 0
    const server = await tcp((socket) => socket.on('data', (chunk) => (bytes += chunk.length)))
    const asked: string[] = []
    // As of a name or a route that leads elsewhere a moment later: what was permitted is so no more.
    const permits = (address: string) => asked.push(address) === 1

    const connect = guardedConnector({ permitsAt: () => permits, resolve: loopback, timeoutMs: 1_000 })
    const outcome = await connected(connect, hostname, server.port)

    expect(outcome).toBeInstanceOf(TargetError)
    expect(outcome).toMatchObject({ reason: 'blocked_address' })
    expect(asked).toEqual(['127.0.0.1', '127.0.0.1'])
    await eventually(() => server.open() === 0, 'the end of the connection')
    expect([server.connections(), bytes]).toEqual([1, 0])
  },
)

test('the addresses of this machine are its own, however they are written', () => {
  const interfaces = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const own = interfaces.map(({ address }) => address)

  for (const address of [...own, '127.0.0.1', '::ffff:127.0.0.1', '0.0.0.0', '::1', '0:0:0:0:0:0:0:1', '::'])
    expect(isOwnAddress(address), address).toBe(true)
})

test.each(['93.184.216.34', '2606:4700::1111', '169.254.169.254', 'nonsense'])('%s is none of them', (address) => {
  expect(isOwnAddress(address)).toBe(false)
})
