// A TCP proxy that can be cut or frozen: frozen, it accepts connections and bytes, as a hanging server does.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type TcpProxy = AsyncDisposable & {
  /** The server's URL with the host and port of this proxy. */
  readonly url: string
  freeze(): void
  thaw(): void
  /** Ends all open connections; new ones are accepted. */
  cut(): void
}

/** `server` names its port, as in `redis://127.0.0.1:6379`. */
export async function startTcpProxy(server: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(server)
  const sockets = new Set<Socket>()
  const held: (() => void)[] = []
  let frozen = false

  const pass = (act: () => void): void => void (frozen ? held.push(act) : act())

  function forward(from: Socket, to: Socket): void {
    sockets.add(from)
    from.on('error', () => {})
    from.on('data', (chunk) => pass(() => to.write(chunk)))
    from.on('close', () => {
      sockets.delete(from)
      pass(() => to.destroySoon())
    })
  }

  const proxy = createServer((near) => {
    const far = connect(Number(port), hostname)
    forward(near, far)
    forward(far, near)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')

  const thaw = () => {
    frozen = false
    for (const act of held.splice(0)) act()
  }
  const cut = () => sockets.forEach((socket) => socket.destroy())
  return {
    url: Object.assign(new URL(server), { host: `127.0.0.1:${(proxy.address() as AddressInfo).port}` }).href,
    freeze: () => void (frozen = true),
    thaw,
    cut,
    [Symbol.asyncDispose]: async () => {
      thaw()
      cut()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
