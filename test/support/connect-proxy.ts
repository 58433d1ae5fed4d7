// A small http proxy that knows CONNECT, on loopback. It resolves every name to loopback, or to where `resolve` says.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'

export type ConnectProxy = AsyncDisposable & {
  readonly url: string
  /** Each CONNECT: what it asked for, and its headers. */
  readonly asked: { readonly authority: string; readonly headers: IncomingHttpHeaders }[]
}
type ConnectProxyOptions = {
  /** Says something else than a tunnel to this CONNECT. */
  readonly instead?: (socket: Socket) => void
  /** As `user:password`. */
  readonly credentials?: string
  readonly port?: number
  /** The port on loopback to which all tunnels lead; without it, the one that was asked for. */
  readonly leadTo?: number
}

export async function startConnectProxy(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const { instead, credentials, port = 0, leadTo } = options
  const asked: ConnectProxy['asked'] = []
  const sockets = new Set<Socket>()
  const server = createServer((_request, response) => response.writeHead(405).end())
  server.on('connection', (socket) => void sockets.add(socket))
  server.on('connect', ({ url: authority = '', headers }, stream, head) => {
    const near = stream as Socket
    near.on('error', () => {})
    asked.push({ authority, headers })
    if (credentials !== undefined && headers['proxy-authorization'] !== basic(credentials))
      return void near.end('HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n')
    if (instead !== undefined) return instead(near)
    return tunnel(near, head, leadTo ?? Number(authority.split(':').at(-1)))
  })
  function tunnel(near: Socket, head: Buffer, target: number): void {
    const far = connect(target, '127.0.0.1', () => {
      near.write('HTTP/1.1 200 Connection established\r\n\r\n')
      far.write(head)
      near.pipe(far).pipe(near)
    })
    sockets.add(far)
    far.on('error', () => near.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
  }
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: () => {
      sockets.forEach((socket) => socket.destroy())
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`
