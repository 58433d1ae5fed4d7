// A peer of the gateway: http-proxy-3 with an agent and nothing else.
import { once } from 'node:events'
import { Agent, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createProxyServer } from 'http-proxy-3'
import { connections } from '../measure/requests.ts'
import { readPlan, report } from '../measure/plan.ts'

export type Plan = { readonly origin: string }

const { origin } = readPlan() as Plan
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const proxy = createProxyServer({ target: origin, agent })
const server = createServer((request, response) => proxy.web(request, response, {}, () => response.destroy()))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
report({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
process.once('SIGTERM', () => process.exit(0))
