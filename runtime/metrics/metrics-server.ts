// `GET /metrics` for Prometheus, at a port of its own: callers of the API must not see figures. Every process serves
// it alike, in the text format 0.0.4, and only where METRICS_PORT says so.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Part } from '../process.ts'
import { port } from '../settings.ts'
import type { MetricSource, Distribution, Labels, Metric, Reading, Sample } from './metric.ts'
import { openProcessMetrics } from './common-metrics.ts'

/** Spread into a process's settings. */
export const metricsSettings = {
  metricsPort: port('METRICS_PORT', {
    default: null,
    description:
      'The port of `/metrics`, for Prometheus, at the address HOST. Without it there is none. Never published to clients.',
  }),
}
/** For `readSettings`: two servers cannot share a port. */
export const metricsPortTaken = (settings: { readonly port: number; readonly metricsPort: number | null }): string[] =>
  settings.metricsPort !== null && settings.metricsPort !== 0 && settings.metricsPort === settings.port
    ? [`METRICS_PORT must differ from PORT, which is ${settings.port} too`]
    : []

type At = { readonly host: string; readonly metricsPort: number | null }
/** `url` is null when there is no port for it. */
export type MetricsServer = Part & { readonly url: string | null }

const connectionsMax = 16
const receiveMs = 5_000
const idleMs = 65_000

/** Does not keep the process alive. */
export async function serveMetrics(
  { host, metricsPort }: At,
  sources: readonly MetricSource[],
): Promise<MetricsServer> {
  if (metricsPort === null) return { url: null, close: async () => {} }
  const own = openProcessMetrics()
  const text = sharedWhileRunning(() => exposition([...sources, own.source]))
  const server = createServer(
    {
      requestTimeout: receiveMs,
      headersTimeout: receiveMs,
      connectionsCheckingInterval: receiveMs,
      keepAliveTimeout: idleMs,
    },
    (request, response) => {
      void answer(request, response, text)
    },
  )
  server.maxConnections = connectionsMax
  server.unref()
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject).listen(metricsPort, host, listening.resolve)
  await listening.promise.catch(async (error: unknown) => {
    await own.close()
    throw error
  })
  const { port: opened } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    const closed = Promise.withResolvers<void>()
    server.close(() => closed.resolve())
    server.closeAllConnections()
    await closed.promise
    await own.close()
  }
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${opened}/metrics`, close }
}

async function answer(request: IncomingMessage, response: ServerResponse, text: () => Promise<string>): Promise<void> {
  // Nothing is read of a body.
  request.resume()
  const { method, url = '' } = request
  if (url.split('?', 1)[0] !== '/metrics') return refuse(response, 404, 'Only /metrics is here.')
  if (method !== 'GET' && method !== 'HEAD') return refuse(response.setHeader('allow', 'GET, HEAD'), 405, 'Use GET.')
  try {
    const body = await text()
    response.writeHead(200, { 'content-type': expositionType, 'cache-control': 'no-store' }).end(body)
  } catch {
    refuse(response, 500, 'The figures cannot be read.')
  }
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`)
}

/** Scrapes at the same time are one reading: some figures ask the database. */
function sharedWhileRunning(read: () => Promise<string>): () => Promise<string> {
  let running: Promise<string> | null = null
  return () => (running ??= read().finally(() => (running = null)))
}

const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

/** A figure that several sources have is written as one, with the samples of all. */
async function exposition(sources: readonly MetricSource[]): Promise<string> {
  const readings = (await Promise.all(sources.map((read) => read()))).flat()
  const byName = Map.groupBy(readings, ({ metric }) => metric.name)
  return [...byName.values()].map(familyText).join('')
}

function familyText(readings: readonly Reading[]): string {
  const [{ metric } = { metric: null }] = readings
  const samples = readings.flatMap((reading) => reading.samples)
  if (metric === null || samples.length === 0) return ''
  const head = `# HELP ${metric.name} ${escapedHelp(metric.help)}\n# TYPE ${metric.name} ${metric.type}\n`
  return head + samples.map((sample) => sampleText(metric, sample)).join('')
}

const sampleText = ({ name }: Metric, { labels, value }: Sample): string =>
  typeof value === 'number' ? line(name, labels, value) : distributionText(name, labels, value)

function distributionText(name: string, labels: Labels, { bounds, counts, sum }: Distribution): string {
  let count = 0
  let text = ''
  for (let at = 0; at <= bounds.length; at++) {
    count += counts[at] ?? 0
    text += line(`${name}_bucket`, { ...labels, le: numberText(bounds[at] ?? Infinity) }, count)
  }
  return text + line(`${name}_sum`, labels, sum) + line(`${name}_count`, labels, count)
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapedValue(text)}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${numberText(value)}\n`
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}

const escapedHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escapedValue = (text: string): string => escapedHelp(text).replaceAll('"', '\\"')
