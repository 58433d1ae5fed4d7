// The service behind https: the gateway sends nothing to one that cannot prove who it is.
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { createServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { certificate, type Certificate } from '../../support/certificates.ts'
import { eventually } from '../../support/eventually.ts'
import { startEdge } from '../support/edge.ts'
import { standIn } from '../support/service.ts'

const ip = '127.0.0.1'
const probing = { probeEveryMs: 50, probeWithinMs: 500, resolveEveryMs: 50 }
const authority = certificate('An authority', { ip, isAuthority: true })
const anotherAuthority = () => certificate('Another', { ip, isAuthority: true })
setDefaultCACertificates([...getCACertificates('default'), authority.cert])

async function behindTls({ key, cert }: Certificate) {
  const service = await standIn()
  const port = Number(new URL(service.url).port)
  const sockets = new Set<TLSSocket>()
  const server = createServer({ key, cert }, (socket) => {
    sockets.add(socket)
    const behind = connect(port, ip)
    socket.on('error', () => behind.destroy()).pipe(behind)
    behind.on('error', () => socket.destroy()).pipe(socket)
  }).listen(0, ip)
  server.on('tlsClientError', () => {})
  await once(server, 'listening')
  const edge = await startEdge({ services: [`https://${ip}:${(server.address() as AddressInfo).port}`], probing })
  const { token } = service.key()
  return {
    edge,
    service,
    read: () => edge.call('GET', '/api/v1/me', { token }),
    write: () => edge.call('POST', '/api/v1/projects', { token, body: { name: 'x' } }),
    ping: () => edge.call('POST', '/api/mcp', { token, body: { jsonrpc: '2.0', id: 1, method: 'ping' } }),
    /** From now on it shows another one, and all connections are new. */
    showInstead: (other: Certificate) => {
      server.setSecureContext(other)
      for (const socket of sockets) socket.destroy()
    },
    [Symbol.asyncDispose]: async () => {
      await edge[Symbol.asyncDispose]()
      await service.close()
      server.close()
    },
  }
}

test('a certificate of an authority that is trusted: calls, keys and MCP go through', async () => {
  await using it = await behindTls(certificate('service', { ip, signedBy: authority }))
  await eventually(async () => (await it.edge.call('GET', '/ready')).status === 200, 'that it is ready')

  expect([(await it.write()).status, (await it.ping()).status]).toEqual([200, 200])
  expect(it.service.calls.map(({ url }) => url)).toEqual(['/api/v1/projects', '/api/mcp'])
})

test.each([
  ['one that it has signed itself', () => certificate('service', { ip })],
  ['one for another address', () => certificate('service', { ip: '127.0.0.2', signedBy: authority })],
  ['one that has expired', () => certificate('service', { ip, signedBy: authority, expired: true })],
  ['one of an authority that nobody trusts', () => certificate('service', { ip, signedBy: anotherAuthority() })],
])('%s: the gateway is not ready, calls are refused, and the service has heard nothing', async (_name, made) => {
  await using it = await behindTls(made())

  const call = await it.read()
  const ready = await it.edge.call('GET', '/ready')

  expect([call.status, call.body.code, ready.status]).toEqual([503, 'unavailable', 503])
  expect([it.service.probes, it.service.asked, it.service.calls]).toEqual([0, [], []])
})

test('one that shows up later: known keys are refused too, over HTTP and MCP, and may try again', async () => {
  await using it = await behindTls(certificate('service', { ip, signedBy: authority }))
  await eventually(async () => (await it.read()).status === 200, 'the key is known')
  it.service.calls.splice(0)

  it.showInstead(certificate('service', { ip }))
  await eventually(async () => (await it.edge.call('GET', '/ready')).status === 503, 'the old connections are gone')
  const write = await it.write()
  const mcp = await it.ping()

  const unavailable = { code: 'unavailable' }
  expect(write).toMatchObject({ status: 503, body: unavailable })
  expect(mcp).toMatchObject({ status: 503, body: { error: { data: unavailable } } })
  expect(it.service.calls).toEqual([])
})
