// A proxy to a server that can be cut: connections are closed, and new ones are refused until it is mended.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type CuttableConnection = AsyncDisposable & { readonly url: string; cut(): void; mend(): void }

export async function cuttableConnection(server: string): Promise<CuttableConnection> {
  const target = new URL(server)
  const sockets = new Set<Socket>()
  let isCut = false
  const proxy = createServer((near) => {
    if (isCut) near.destroy()
    else pass(near, connect(Number(target.port), target.hostname))
  })
  const pass = (near: Socket, far: Socket): void => {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => (sockets.delete(from), to.destroy()))
      from.pipe(to)
    }
  }
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const cut = () => {
    isCut = true
    sockets.forEach((socket) => socket.destroy())
  }
  const mend = () => void (isCut = false)
  const url = new URL(server)
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const close = async () => {
    cut()
    proxy.close()
    await once(proxy, 'close')
  }
  return { url: url.href, cut, mend, [Symbol.asyncDispose]: close }
}
