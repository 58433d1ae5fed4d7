import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { eventually } from './eventually.ts'
import { startTcpProxy } from './tcp-proxy.ts'

test('a frozen proxy accepts connections and bytes without answers, and passes all on once it is thawed', async () => {
  await using server = await startEcho()
  await using proxy = await startTcpProxy(server.url)
  const open = await dial(proxy.url)
  open.say('a')
  await eventually(() => open.heard() === 'a', 'the echo')

  proxy.freeze()
  const late = await dial(proxy.url)
  open.say('b')
  late.say('c')
  await eventually(async () => (await server.connections()) === 2, 'both connections at the server')
  expect([open.heard(), late.heard()]).toEqual(['a', ''])

  proxy.thaw()
  await eventually(() => open.heard() === 'ab' && late.heard() === 'c', 'both echoes')
})

test('a cut ends open connections, and the next one is served', async () => {
  await using server = await startEcho()
  await using proxy = await startTcpProxy(server.url)
  const open = await dial(proxy.url)

  proxy.cut()
  await eventually(() => open.ended(), 'the end')

  const next = await dial(proxy.url)
  next.say('d')
  await eventually(() => next.heard() === 'd', 'the echo')
})

async function startEcho() {
  const echo = createServer((socket) => void socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1')
  await once(echo, 'listening')
  return {
    url: `tcp://127.0.0.1:${(echo.address() as AddressInfo).port}`,
    connections: () =>
      new Promise<number>((resolve, reject) =>
        echo.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    [Symbol.asyncDispose]: async () => void echo.close(),
  }
}

async function dial(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let heard = ''
  socket.on('error', () => {}).on('data', (chunk) => (heard += chunk.toString()))
  await once(socket, 'connect')
  return { say: (text: string) => socket.write(text), heard: () => heard, ended: () => socket.destroyed }
}
