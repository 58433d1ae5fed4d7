// A collector of traces that takes whatever comes and keeps nothing of it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { report } from '../measure/plan.ts'

const server = createServer((request, response) => {
  request
    .resume()
    .once('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf', 'content-length': 0 }).end())
})
server.listen(0, '127.0.0.1', () => report({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
process.once('SIGTERM', () => process.exit(0))
