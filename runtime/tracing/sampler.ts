// Which traces are recorded: the samplers that OpenTelemetry names in its specification, with its algorithm for ratios,
// so that tiers which are set alike choose alike.
import { isSampled, traceIdOf } from './trace-context.ts'

/** `isNew`: the trace begins here, and nobody has decided yet. */
export type Sampler = (traceparent: string, isNew: boolean) => boolean

export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof samplerNames)[number]

const parentBased = 'parentbased_'

/** `ratio`: the part of the traces that is recorded, for those that go by it. */
export function samplerOf(name: SamplerName, ratio: number): Sampler {
  if (!name.startsWith(parentBased)) return ownSamplerOf(name, ratio)
  const ofNew = ownSamplerOf(name.slice(parentBased.length), ratio)
  return (traceparent, isNew) => (isNew ? ofNew(traceparent, true) : isSampled(traceparent))
}

function ownSamplerOf(name: string, ratio: number): Sampler {
  if (name === 'always_off') return () => false
  if (name === 'always_on' || ratio >= 1) return () => true
  const bound = Math.floor(ratio * 0xffff_ffff)
  return (traceparent) => folded(traceIdOf(traceparent)) < bound
}

/** The four words of the id as one. */
function folded(traceId: string): number {
  let word = 0
  for (let at = 0; at < traceId.length; at += 8) word ^= Number.parseInt(traceId.slice(at, at + 8), 16)
  return word >>> 0
}
