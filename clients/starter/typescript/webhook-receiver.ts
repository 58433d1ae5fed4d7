// Takes deliveries on PORT (9000) with nothing but Node, and prints what happened.
import { createServer, type IncomingMessage } from 'node:http'
import { bodyBytesMax, receive } from './webhook-inbox.ts'

const port = Number(process.env['PORT'] ?? 9000)

createServer((request, response) => {
  rawBody(request).then(
    (body) => {
      const status = body === null ? 413 : receive((name) => request.headers[name], body)
      response.writeHead(status).end()
    },
    // The sender has gone.
    () => response.destroy(),
  )
}).listen(port, '127.0.0.1', () => console.log(`Waiting for deliveries on http://127.0.0.1:${port}/`))

/** Null where there are too many bytes. */
async function rawBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  // The connection stays, for the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > bodyBytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
