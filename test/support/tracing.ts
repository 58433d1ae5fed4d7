// Tracing as a process opens it, in the process of the test: the exporter and the collector are real.
import { samplerOf, type SamplerName } from '#runtime/tracing/sampler.ts'
import { tracingWith, type SpanExporter, type Tracing } from '#runtime/tracing/tracing.ts'

/** `flush` ends it: spans that come later are dropped. */
export type TracingOfTest = { readonly tracing: Tracing; readonly exporter: SpanExporter; flush(): Promise<void> }

export async function tracingTo(
  endpoint: string,
  sampler: SamplerName = 'parentbased_always_on',
): Promise<TracingOfTest> {
  const { openExporter } = await import('#runtime/tracing/otlp-exporter.ts')
  const exporter = openExporter({ endpoint, headers: null, name: 'test', namespace: 'tests' })
  return { exporter, tracing: tracingWith(exporter, samplerOf(sampler, 1)), flush: () => exporter.close() }
}
