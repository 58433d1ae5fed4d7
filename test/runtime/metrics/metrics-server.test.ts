// `/metrics` as Prometheus meets it, over HTTP and with a strict reader of the format.
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { counter, gauge, histogram, metricSource, histogramOf } from '#runtime/metrics/metric.ts'
import { metricsPortTaken, metricsSettings, serveMetrics } from '#runtime/metrics/metrics-server.ts'
import { processMetrics } from '#runtime/metrics/common-metrics.ts'
import { readSettings, port } from '#runtime/settings.ts'
import { figure, parseExposition, scrape } from '../../support/exposition.ts'

const at = { host: '127.0.0.1', metricsPort: 0 }
const some = { calls: counter('calls_total', 'Calls.', ['kind']) }
async function serving(sources: Parameters<typeof serveMetrics>[1]) {
  const server = await serveMetrics(at, sources)
  onTestFinished(server.close)
  return { ...server, exposed: () => scrape(server.url!) }
}
const source = (tier: string, kinds: readonly string[]) =>
  metricSource(some, { calls: () => kinds.map((kind) => ({ labels: { kind }, value: 1 })) }, { tier })

test('figures of several sources are one family, each with the labels of its source, whatever a label holds', async () => {
  const odd = 'a"b\\c\nd,e="f"}'
  const server = await serving([source('a', ['x', odd]), source('b', ['x'])])

  const exposed = await server.exposed()

  const sample = (tier: string, kind: string) => ({ name: 'calls_total', labels: { tier, kind }, value: 1 })
  const samples = [sample('a', 'x'), sample('a', odd), sample('b', 'x')]
  expect(exposed.get('calls_total')).toEqual({ type: 'counter', help: 'Calls.', samples })
})

test('a histogram has every bucket, its sum and its count', async () => {
  const own = histogramOf([1, 2])
  for (const value of [0.5, 1, 1.5, 9]) own.observe(value)
  const declared = { took: histogram('took_seconds', 'Took.') }
  const server = await serving([metricSource(declared, { took: own.read })])

  const samples = (await server.exposed()).get('took_seconds')?.samples ?? []

  const told = samples.map(({ name, labels, value }) => [name, labels['le'], value].join(' '))
  const buckets = ['took_seconds_bucket 1 2', 'took_seconds_bucket 2 3', 'took_seconds_bucket +Inf 4']
  expect(told).toEqual([...buckets, 'took_seconds_sum  12', 'took_seconds_count  4'])
})

test('a figure that is not known, or cannot be read, is left out, and all others are there', async () => {
  const declared = { a: gauge('a', 'A.'), b: gauge('b', 'B.'), c: gauge('c', 'C.') }
  const failing = () => Promise.reject(new Error('away'))
  const server = await serving([metricSource(declared, { a: () => null, b: failing, c: () => 3 })])

  const exposed = await server.exposed()

  expect([exposed.has('a'), exposed.has('b'), figure(exposed, 'c')]).toEqual([false, false, 3])
})

test('the process says of itself what dashboards know', async () => {
  const server = await serving([])

  const exposed = await server.exposed()

  // Traces are exported by processes with a collector alone.
  const { spans: _spans, ...always } = processMetrics
  expect(new Set(exposed.keys())).toEqual(new Set(Object.values(always).map(({ name }) => name)))
  expect(figure(exposed, 'process_resident_memory_bytes')).toBeGreaterThan(1e6)
  expect(figure(exposed, 'process_cpu_seconds_total')).toBeGreaterThan(0)
})

test('scrapes at the same time share one reading', async () => {
  const reading = Promise.withResolvers<number>()
  let reads = 0
  const begun = Promise.withResolvers<void>()
  const declared = { slow: gauge('slow', 'Slow.') }
  const slow = () => {
    reads++
    begun.resolve()
    return reading.promise
  }
  const server = await serving([metricSource(declared, { slow })])

  const scrapes = [server.exposed(), server.exposed()]
  await begun.promise
  const third = fetch(server.url!.replace('/metrics', '/other'))
  expect((await third).status).toBe(404)
  reading.resolve(7)

  expect((await Promise.all(scrapes)).map((exposed) => figure(exposed, 'slow'))).toEqual([7, 7])
  expect(reads).toBeLessThanOrEqual(2)
})

test('nothing but GET and HEAD of /metrics is answered', async () => {
  const server = await serving([])
  const status = async (method: string, path: string) => (await fetch(new URL(path, server.url!), { method })).status

  expect([await status('HEAD', '/metrics'), await status('GET', '/metrics?name=x')]).toEqual([200, 200])
  expect([await status('POST', '/metrics'), await status('GET', '/')]).toEqual([405, 404])
})

test('it closes at once, whoever holds a connection open', async () => {
  const server = await serving([])
  const idle = connect(Number(new URL(server.url!).port), at.host)
  const ended = new Promise((resolve) => idle.once('close', resolve).on('error', () => {}))
  await new Promise((resolve) => idle.once('connect', resolve))

  await server.close()

  await ended
  await expect(fetch(server.url!)).rejects.toThrow()
})

test('a port in use is an error of the start; without a port there is no server', async () => {
  const first = await serving([])
  const metricsPort = Number(new URL(first.url!).port)

  await expect(serveMetrics({ ...at, metricsPort }, [])).rejects.toMatchObject({ code: 'EADDRINUSE' })
  expect((await serveMetrics({ ...at, metricsPort: null }, [])).url).toBeNull()
})

test('mistakes in METRICS_PORT are told with the others', () => {
  const declared = { port: port('PORT', { default: 8080, description: 'A.' }), ...metricsSettings }
  const read = (env: Record<string, string>) =>
    readSettings(declared, env, (given) => metricsPortTaken(given)).metricsPort
  const range = 'must be a whole number from 0 to 65535'

  expect([read({}), read({ METRICS_PORT: '9464' }), read({ PORT: '0', METRICS_PORT: '0' })]).toEqual([null, 9464, 0])
  for (const [env, mistakes] of [
    [{ METRICS_PORT: '8080' }, ['METRICS_PORT must differ from PORT, which is 8080 too']],
    [{ METRICS_PORT: 'x', PORT: '-1' }, [`PORT ${range}, not "-1"`, `METRICS_PORT ${range}, not "x"`]],
    [{ METRICS_PORT: '' }, [expect.stringContaining('METRICS_PORT is empty')]],
  ] as const)
    expect(() => read(env)).toThrow(expect.objectContaining({ mistakes }))
})

test.each([
  ['a sample twice', '# HELP a A.\n# TYPE a gauge\na 1\na 2\n'],
  ['a family in two places', '# HELP a A.\n# TYPE a gauge\na 1\n# HELP b B.\n# TYPE b gauge\nb 1\n# HELP a A.\n'],
  ['a sample of another family', '# HELP a A.\n# TYPE a gauge\nb 1\n'],
  ['an unescaped quote', '# HELP a A.\n# TYPE a gauge\na{l="x"y"} 1\n'],
  ['a histogram without +Inf', '# HELP a A.\n# TYPE a histogram\na_bucket{le="1"} 1\na_sum 1\na_count 1\n'],
])('the reader of these tests refuses %s', (_what, text) => {
  expect(() => parseExposition(text)).toThrow()
})
