// Beside the samplers of OpenTelemetry's own SDK.
import { ROOT_CONTEXT, trace, TraceFlags } from '@opentelemetry/api'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  type Sampler as OtelSampler,
} from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { samplerOf, type SamplerName } from '#runtime/tracing/sampler.ts'
import { isSampled, newTraceparent, sampled, spanIdOf, traceIdOf } from '#runtime/tracing/trace-context.ts'

// The tests' own packages have another copy of the enum.
const server = 1 as unknown as Parameters<OtelSampler['shouldSample']>[3]

const ofSdk = (ratio: number): Record<SamplerName, OtelSampler> => ({
  always_on: new AlwaysOnSampler(),
  always_off: new AlwaysOffSampler(),
  traceidratio: new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
})

function decisionOf(sampler: OtelSampler, traceparent: string, isNew: boolean): boolean {
  const [traceId, spanId] = [traceIdOf(traceparent), spanIdOf(traceparent)]
  const traceFlags = isSampled(traceparent) ? TraceFlags.SAMPLED : TraceFlags.NONE
  const context = isNew
    ? ROOT_CONTEXT
    : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
  return sampler.shouldSample(context, traceId, 'x', server, {}, []).decision === SamplingDecision.RECORD_AND_SAMPLED
}

test.each([0, 0.01, 0.5, 1])('every sampler decides as that of the SDK, with the ratio %f', (ratio) => {
  const made = Array.from({ length: 500 }, newTraceparent)
  const traces = [...made.map((each) => [each, true] as const), ...made.map((each) => [each, false] as const)]
  const all = [...traces, ...made.map((each) => [sampled(each), false] as const)]

  for (const [name, sampler] of Object.entries(ofSdk(ratio)) as [SamplerName, OtelSampler][]) {
    const own = samplerOf(name, ratio)
    expect(all.map(([traceparent, isNew]) => own(traceparent, isNew))).toEqual(
      all.map(([traceparent, isNew]) => decisionOf(sampler, traceparent, isNew)),
    )
  }
})
