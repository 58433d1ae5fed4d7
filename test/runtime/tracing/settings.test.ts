import { expect, test } from 'vitest'
import { readSettings, SettingsError } from '#runtime/settings.ts'
import { tracingSettings } from '#runtime/tracing/settings.ts'

const read = (env: Record<string, string>) => readSettings(tracingSettings('gateway'), env)
function mistakesIn(env: Record<string, string>): readonly string[] {
  try {
    read(env)
    return []
  } catch (error) {
    return (error as SettingsError).mistakes
  }
}

test('without a setting nothing is exported; the others are those of OpenTelemetry', () => {
  expect(read({})).toEqual({
    otlpEndpoint: null,
    otlpHeaders: null,
    otelServiceName: 'gateway',
    tracesSampler: 'parentbased_always_on',
    tracesSamplerArg: 1,
  })
  expect(
    read({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector:4318/base',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b%3Dc, authorization=Bearer x=',
      OTEL_SERVICE_NAME: 'edge',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.01',
    }),
  ).toEqual({
    otlpEndpoint: 'https://collector:4318/base',
    otlpHeaders: { 'x-key': 'a b=c', authorization: 'Bearer x=' },
    otelServiceName: 'edge',
    tracesSampler: 'traceidratio',
    tracesSamplerArg: 0.01,
  })
})

test('all mistakes are told at once, and neither a password nor a header is repeated', () => {
  const mistakes = mistakesIn({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:hunter2@collector:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'hunter2',
    OTEL_TRACES_SAMPLER: 'jaeger_remote',
    OTEL_TRACES_SAMPLER_ARG: '1.5',
  })

  expect(mistakes).toHaveLength(4)
  expect(mistakes.join('\n')).not.toContain('hunter2')
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector:4317'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318/?key=x'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=b,c'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%0d%0aevil'],
    ['OTEL_TRACES_SAMPLER_ARG', '-0.1'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half'],
  ] as const)
    expect(mistakesIn({ [name]: value })).toEqual([expect.stringContaining(name)])
})
