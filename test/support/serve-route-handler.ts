// Serves the route handler in the file that is named, as Next does.
import { createServer, type IncomingMessage } from 'node:http'
import { PassThrough, Readable } from 'node:stream'

type RouteHandler = { readonly POST: (request: Request) => Promise<Response> }

const { POST } = (await import(process.argv[2] ?? '')) as RouteHandler
const port = Number(process.env['PORT'])

createServer((request, response) => {
  void answer(request).then((status) => response.writeHead(status).end())
}).listen(port, '127.0.0.1', () => console.log('Waiting for deliveries'))

async function answer(request: IncomingMessage): Promise<number> {
  const { method = '', headers, url = '' } = request
  // What is left of a body that the handler has enough of is let go without the connection.
  const body = Readable.toWeb(request.pipe(new PassThrough()))
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  const init = { method, headers: pairs, body, duplex: 'half' } as const
  return (await POST(new Request(`http://127.0.0.1:${port}${url}`, init))).status
}
