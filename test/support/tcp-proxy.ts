// A TCP proxy that can be cut or frozen: frozen, it accepts connections and bytes, as a hanging server does.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type TcpProxy = AsyncDisposable & {
  /** The server's URL with the host and port of this proxy. */
  readonly url: string
  freeze(): void
  thaw(): void
  /** How many connections have been made to it. */
  accepted(): number
  /** Ends all open connections; new ones are accepted. */
  cut(): void
  /** Ends all open connections and each new one, until `accept`. */
  refuse(): void
  accept(): void
  /** New connections go there. */
  leadTo(server: string): void
}

type TcpProxyOptions = {
  /** What comes of what the server says. */
  readonly change?: (said: Buffer) => Buffer
}

/** `server` names its port, as in `redis://127.0.0.1:6379`. */
export async function startTcpProxy(
  server: string,
  { change = (said) => said }: TcpProxyOptions = {},
): Promise<TcpProxy> {
  let { hostname, port } = new URL(server)
  const sockets = new Set<Socket>()
  const held: (() => void)[] = []
  let frozen = false
  let accepted = 0
  let refusing = false

  const pass = (act: () => void): void => void (frozen ? held.push(act) : act())

  function forward(from: Socket, to: Socket, changed = (chunk: Buffer) => chunk): void {
    sockets.add(from)
    from.on('error', () => {})
    from.on('data', (chunk: Buffer) => pass(() => to.write(changed(chunk))))
    from.on('close', () => {
      sockets.delete(from)
      pass(() => to.destroySoon())
    })
  }

  const proxy = createServer((near) => {
    accepted += 1
    if (refusing) {
      near.destroy()
      return
    }
    const far = connect(Number(port), hostname)
    forward(near, far)
    forward(far, near, change)
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
    accepted: () => accepted,
    cut,
    refuse: () => {
      refusing = true
      cut()
    },
    accept: () => void (refusing = false),
    leadTo: (other) => void ({ hostname, port } = new URL(other)),
    [Symbol.asyncDispose]: async () => {
      thaw()
      cut()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
