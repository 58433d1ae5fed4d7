// The figures that several tiers have alike: what every process says of itself, under the names that dashboards for
// Node know (processor time, memory, open files, how late its event loop is), and those of every tier with an HTTP
// server, named as OpenTelemetry names them.
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { droppedLogLines } from '../log.ts'
import { spanCounts, type SpanCounts } from '../tracing/tracing.ts'
import { counter, gauge, metricSource, type MetricSource, histogram } from './metric.ts'
import type { Part } from '../process.ts'

export const processMetrics = {
  build: gauge('build_info', '1, with what runs. `version`: of the product. `node`: of Node.', ['version', 'node']),
  cpu: counter('process_cpu_seconds_total', 'Processor time that the process has used, in user and system mode.'),
  startTime: gauge('process_start_time_seconds', 'When the process started, in seconds since 1970.'),
  residentMemory: gauge('process_resident_memory_bytes', 'Memory of the process that is in RAM.'),
  openFiles: gauge('process_open_fds', 'Open file descriptors, sockets included. Linux alone.'),
  heapUsed: gauge('nodejs_heap_size_used_bytes', 'Memory that JavaScript objects take up.'),
  heapTotal: gauge('nodejs_heap_size_total_bytes', 'Memory that is set aside for JavaScript objects.'),
  external: gauge('nodejs_external_memory_bytes', 'Memory outside the heap, buffers included.'),
  spans: counter(
    'trace_spans_total',
    'Spans that a collector has taken (`exported`), and those that were lost since it did not in time (`dropped`). Only where traces are exported.',
    ['outcome'],
  ),
  logLinesDropped: counter('log_lines_dropped_total', 'Log lines that were dropped because the output was too slow.'),
  loopActive: counter(
    'nodejs_eventloop_active_seconds_total',
    'Time in which the event loop was not idle: at a rate of 1 the process can do no more.',
  ),
  loopDelayMean: gauge(
    'nodejs_eventloop_lag_mean_seconds',
    'How late the event loop was on average, since the last scrape.',
  ),
  loopDelayP99: gauge('nodejs_eventloop_lag_p99_seconds', 'The same, 99th percentile.'),
  loopDelayMax: gauge('nodejs_eventloop_lag_max_seconds', 'The same, the most.'),
}

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string
}
const resolutionMs = 10
/** Scrapes that come closer together, as those of two Prometheus servers do, see the same window. */
const windowMsMin = 1_000

export function openProcessMetrics(): Part & { readonly source: MetricSource } {
  const delay = eventLoopDelay()
  const source = metricSource(processMetrics, {
    build: () => [{ labels: { version, node: process.versions.node }, value: 1 }],
    cpu: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
    startTime: () => performance.timeOrigin / 1_000,
    residentMemory: () => process.memoryUsage.rss(),
    openFiles: async () => (await readdir('/proc/self/fd')).length,
    heapUsed: () => process.memoryUsage().heapUsed,
    heapTotal: () => process.memoryUsage().heapTotal,
    external: () => process.memoryUsage().external,
    spans: () => samplesOf(spanCounts()),
    logLinesDropped: droppedLogLines,
    loopActive: () => performance.eventLoopUtilization().active / 1_000,
    loopDelayMean: () => delay.read().mean,
    loopDelayP99: () => delay.read().p99,
    loopDelayMax: () => delay.read().max,
  })
  return {
    source,
    close: async () => {
      delay.close()
    },
  }
}

const samplesOf = (counts: SpanCounts | null) =>
  counts && [
    { labels: { outcome: 'exported' }, value: counts.exported },
    { labels: { outcome: 'dropped' }, value: counts.dropped },
  ]

type Delay = { readonly mean: number; readonly p99: number; readonly max: number }

function eventLoopDelay() {
  const monitor = monitorEventLoopDelay({ resolution: resolutionMs })
  monitor.enable()
  let since = -Infinity
  let last: Delay = { mean: 0, p99: 0, max: 0 }

  function read(): Delay {
    if (performance.now() - since < windowMsMin || monitor.count === 0) return last
    const seconds = (ns: number) => ns / 1e9
    last = { mean: seconds(monitor.mean), p99: seconds(monitor.percentile(99)), max: seconds(monitor.max) }
    since = performance.now()
    monitor.reset()
    return last
  }
  return { read, close: () => monitor.disable() }
}

const outcome = ['operation', 'surface', 'status'] as const

export const httpMetrics = {
  requests: counter(
    'http_server_requests_total',
    'Requests that are over. `surface`: `http`, `settings`, `mcp`, `public` (pages and files without a key), `none` (no such address, or no known caller). `status`: its class. `code`: with which this tier refused, empty where it did not; `client_closed_request` where the caller left first.',
    [...outcome, 'code'],
  ),
  duration: histogram(
    'http_server_request_duration_seconds',
    'The time from the request headers until the end of the response.',
    outcome,
  ),
}
