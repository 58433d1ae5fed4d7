// Webhooks through the operator's proxy: a real one, for http and https, and all that may go wrong with it.
import { createServer as createHttps } from 'node:https'
import type { Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ranges } from '#runtime/ip-address.ts'
import { readSettings } from '#runtime/settings.ts'
import type { Resolve } from '../../../dispatcher/attempt/dns.ts'
import { egressProxy, proxyConnector } from '../../../dispatcher/attempt/egress-proxy.ts'
import { networkErrorCode } from '../../../dispatcher/attempt/network-errors.ts'
import type { SenderOptions } from '../../../dispatcher/attempt/send.ts'
import { webhookProxy } from '../../../dispatcher/settings.ts'
import { certificate } from '../../support/certificates.ts'
import { startConnectProxy, type ConnectProxy } from '../../support/connect-proxy.ts'
import { http, listening, sender } from './wire.ts'

const through = (proxyUrl: string, more: Partial<SenderOptions> = {}) =>
  sender({ allowed: [], proxy: egressProxy(proxyUrl), ...more })

const unsent = { kind: 'unsent' }
const failing = (error: string) => ({ kind: 'failed', error })
const receiver = () => http((request, response) => void response.end(`for ${request.headers.host}`))

/** Its certificate holds for 127.0.0.1, and is trusted until the test is over. */
async function trustedReceiver() {
  const own = certificate('receiver', { ip: '127.0.0.1' })
  const before = getCACertificates('default')
  onTestFinished(() => setDefaultCACertificates(before))
  setDefaultCACertificates([own.cert])
  return listening(createHttps(own, (_request, response) => void response.end('over TLS')))
}

test('a receiver is reached through a tunnel, which is kept, by a name that the proxy alone resolves', async () => {
  await using proxy = await startConnectProxy()
  const { port: target } = await receiver()
  const authority = `acme.com:${target}`
  const resolve = vi.fn<Resolve>(async () => [{ address: '127.0.0.1', family: 4 }])
  const send = through(proxy.url.replace('127.0.0.1', 'proxy.example'), { resolve })

  const answer = await send(`http://${authority}/hook`)

  const timings = { dns: null, connect: expect.any(Number), tls: null }
  expect(answer).toMatchObject({ kind: 'answered', status: 200, body: `for ${authority}`, timings })
  expect(proxy.asked).toMatchObject([{ authority, headers: { host: authority } }])
  expect(proxy.asked[0]?.headers).not.toHaveProperty('proxy-authorization')
  expect(resolve.mock.calls).toEqual([['proxy.example']])
  for (let n = 0; n < 10; n++) expect(await send(`http://${authority}/`)).toMatchObject({ status: 200 })
  expect(proxy.asked.length).toBeLessThan(10)
})

test('TLS is between here and the receiver, and its certificate is judged here', async () => {
  await using proxy = await startConnectProxy()
  const send = through(proxy.url, { allowed: ranges(['127.0.0.1']) })
  const { port: target } = await trustedReceiver()

  const [trusted, other] = [await send(`https://127.0.0.1:${target}/`), await send(`https://acme.com:${target}/`)]

  expect(trusted).toMatchObject({ status: 200, body: 'over TLS', timings: { tls: expect.any(Number) } })
  expect(other).toEqual(failing('tls_error'))
  expect(proxy.asked.map(({ authority }) => authority)).toEqual([`127.0.0.1:${target}`, `acme.com:${target}`])
})

test('credentials are given to the proxy and to nobody else; those that are wrong are our mistake', async () => {
  await using proxy = await startConnectProxy({ credentials: 'us er:p:ss/wörd' })
  let got: string | undefined
  const { port: target } = await http((request, response) => {
    got = JSON.stringify(request.headers)
    response.end()
  })
  const withUser = (userInfo: string) =>
    through(proxy.url.replace('//', `//${userInfo}@`))(`http://acme.com:${target}/`)

  expect(await withUser('us%20er:p%3Ass%2Fw%C3%B6rd')).toMatchObject({ status: 200 })
  expect(got).not.toContain('authorization')
  expect(await withUser('somebody:else')).toMatchObject({ kind: 'unsent' })
})

test('what is known to be forbidden is not asked of the proxy', async () => {
  await using proxy = await startConnectProxy()
  const send = through(proxy.url)

  for (const host of ['127.0.0.1', '2130706433:8080', '[::1]', '[::ffff:10.0.0.1]', '169.254.169.254', 'api.localhost'])
    expect(await send(`http://${host}/`), host).toEqual(failing('blocked_address'))
  expect(await send('https://acme.com:6379/')).toEqual(failing('invalid_url'))
  expect(proxy.asked).toEqual([])
})

test('an IPv6 address is asked for in brackets, and the port of the scheme is named', async () => {
  await using proxy = await startConnectProxy({ instead: (socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n') })
  const send = through(proxy.url)

  for (const url of ['https://[2606:4700::1111]/', 'http://acme.com/', 'https://acme.com./'])
    expect(await send(url)).toEqual(failing('connect_error'))

  const asked = proxy.asked.map(({ authority }) => authority)
  expect(asked).toEqual(['[2606:4700::1111]:443', 'acme.com:80', 'acme.com.:443'])
})

const says = (text: string) => (socket: Socket) => void socket.end(`${text}\r\n\r\n`)

test.each<[string, (socket: Socket) => void, object]>([
  ['502', says('HTTP/1.1 502 Bad Gateway'), failing('connect_error')],
  ['503', says('HTTP/1.1 503 Service Unavailable'), failing('connect_error')],
  ['504', says('HTTP/1.1 504 Gateway Timeout'), failing('timeout')],
  ['403', says('HTTP/1.1 403 Forbidden'), failing('blocked_address')],
  ['407 without a challenge', says('HTTP/1.1 407 Rejected'), failing('blocked_address')],
  ['407 with one', says('HTTP/1.1 407 Who\r\nproxy-authenticate: Basic'), unsent],
  ['405', says('HTTP/1.1 405 Method Not Allowed'), unsent],
  ['301', says('HTTP/1.1 301 Moved\r\nlocation: http://127.0.0.1/'), unsent],
  ['no HTTP', says('SSH-2.0-OpenSSH'), unsent],
  ['nothing and hangs up', (socket) => socket.resetAndDestroy(), unsent],
  ['too much', says(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}`), unsent],
])('a proxy that says %s is understood', async (_what, instead, wanted) => {
  await using proxy = await startConnectProxy({ instead })

  expect(await through(proxy.url)('https://acme.com/')).toMatchObject(wanted)
})

test('a proxy that is not there is our mistake, and its name may be unknown', async () => {
  const proxy = await startConnectProxy()
  await proxy[Symbol.asyncDispose]()

  const unknown = through('http://proxy.example', { resolve: async () => [] })
  for (const send of [through(proxy.url), unknown]) expect(await send('https://acme.com/')).toMatchObject(unsent)
})

test('a proxy that never answers, or opens a tunnel in which nobody speaks, is given up in time', async () => {
  await using silent = await startConnectProxy({ instead: () => {} })
  await using empty = await startConnectProxy({ instead: (socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n') })
  const target = { hostname: 'acme.com', host: 'acme.com', port: '', protocol: 'https:' }
  const failure = async ({ url }: ConnectProxy) => {
    const guard = { permitsAt: () => () => true, resolve: async () => [], timeoutMs: 1_000 }
    const connect = proxyConnector(egressProxy(url)!, guard)
    return new Promise((resolve) => connect(target, (...[error]) => resolve(networkErrorCode(error))))
  }

  expect(await Promise.all([silent, empty].map(failure))).toEqual(['timeout', 'timeout'])
})

test('a receiver that speaks before it was asked is no receiver, and is not tried again and again', async () => {
  const twice = 'HTTP/1.1 200 OK\r\n\r\n'.repeat(2)
  await using proxy = await startConnectProxy({ instead: (socket) => socket.write(twice) })

  expect(await through(proxy.url)('http://acme.com/')).toEqual(failing('invalid_response'))
  expect(proxy.asked).toHaveLength(1)
})

test.each([
  ['http://proxy:3128', { host: 'proxy', port: 3128, authorization: null }],
  ['http://proxy', { host: 'proxy', port: 80, authorization: null }],
  ['http://[fd00::1]:8080/', { host: 'fd00::1', port: 8080, authorization: null }],
  ['http://a:b%40c@proxy:1', { host: 'proxy', port: 1, authorization: 'Basic YTpiQGM=' }],
  ['http://a@proxy:1', { host: 'proxy', port: 1, authorization: 'Basic YTo=' }],
  ['https://proxy', null],
  ['proxy:3128', null],
  ['http://proxy/path', null],
  ['http://proxy/?a', null],
  ['http://:b@proxy', null],
  ['http://a%3Ab:c@proxy', null],
  ['http://%zz@proxy', null],
])('the setting %s is read as such', (url, wanted) => {
  expect(egressProxy(url)).toEqual(wanted)
})

test('a setting that is no address of a proxy is refused without being repeated', () => {
  const read = () => readSettings({ webhookProxy }, { WEBHOOK_PROXY_URL: 'http://user:hunter2@proxy/path' })

  expect(read).toThrow('WEBHOOK_PROXY_URL must be an address such as')
  expect(read).not.toThrow('hunter2@')
  expect(readSettings({ webhookProxy }, {})).toEqual({ webhookProxy: null })
})
