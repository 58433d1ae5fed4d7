// Nothing of OpenTelemetry is loaded by a process that exports no traces.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

/** How many modules of OpenTelemetry all tiers have loaded, once tracing is opened with this collector. */
async function loadedWith(endpoint: string | null): Promise<number> {
  const program = `
    import { registerHooks } from 'node:module'
    let loaded = 0
    registerHooks({
      load: (url, context, next) => {
        if (url.includes('/@opentelemetry/')) loaded += 1
        return next(url, context)
      },
    })
    for (const tier of ['gateway/server', 'service/server', 'dispatcher/dispatcher', 'runtime/metrics/metrics-server'])
      await import('./' + tier + '.ts')
    const { openTracing } = await import('./runtime/tracing/tracing.ts')
    const sampler = { tracesSampler: 'always_on', tracesSamplerArg: 1 }
    const collector = { otlpEndpoint: ${JSON.stringify(endpoint)}, otlpHeaders: null, otelServiceName: 'x', brand: 'x' }
    const { close } = await openTracing({ ...collector, ...sampler })
    await close()
    console.log(loaded)`
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: root })
  return Number(stdout)
}

test('the SDK is loaded where a collector is set, and nowhere else', { timeout: 60_000 }, async () => {
  expect(await loadedWith(null)).toBe(0)
  expect(await loadedWith('http://127.0.0.1:9')).toBeGreaterThan(10)
})
