// The settings of traces, with the names that OpenTelemetry gives them in its specification.
import { choice, fraction, text, url, type Setting } from '../settings.ts'
import { samplerNames, type SamplerName } from './sampler.ts'

const endpoint = url('OTEL_EXPORTER_OTLP_ENDPOINT', {
  protocols: ['http', 'https'],
  default: null,
  description:
    'The collector that traces are sent to, by OTLP over HTTP: `http://collector:4318`, to which `/v1/traces` is added. Left out: none are exported.',
})
/** No secret, since what a collector asks for stands in the headers. */
export const otlpEndpoint: Setting<string | null> = {
  ...endpoint,
  parse: (given) => {
    const { username, password, search, hash } = new URL(endpoint.parse(given) ?? '')
    if (username !== '' || password !== '') throw new Error('must have no password: use OTEL_EXPORTER_OTLP_HEADERS')
    if (search !== '' || hash !== '') throw new Error('must have no query')
    return given
  },
}

type Headers = Readonly<Record<string, string>>
const headers = text('OTEL_EXPORTER_OTLP_HEADERS', {
  default: null,
  description: 'Headers for the collector, such as its key: `name=value,name=value`, with values percent-encoded.',
})
/** Hidden, since they are there for secrets. */
const otlpHeaders: Setting<Headers | null> = { ...headers, default: null, hidden: true, parse: headersIn }

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/

function headersIn(given: string): Headers {
  const pairs = given.split(',').map((pair): [string, string] => {
    const [name = '', ...rest] = pair.split('=')
    return [name.trim(), decoded(rest.join('=').trim())]
  })
  if (pairs.some(([name, value]) => !headerName.test(name) || !/^[\x20-\x7e]+$/.test(value)))
    throw new Error('must be pairs such as name=value, separated by commas')
  return Object.fromEntries(pairs)
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}

/** Spread into a process's settings. `name`: of its tier. */
export const tracingSettings = (name: string) => ({
  otlpEndpoint,
  otlpHeaders,
  otelServiceName: text('OTEL_SERVICE_NAME', {
    default: name,
    description: 'The name of the process in traces. BRAND is its namespace.',
  }),
  tracesSampler: choice('OTEL_TRACES_SAMPLER', {
    of: samplerNames,
    default: 'parentbased_always_on',
    description:
      'Which traces are exported. With `parentbased_…`, the decision of the client applies if it made one, and the rest of the name otherwise.',
  }),
  tracesSamplerArg: fraction('OTEL_TRACES_SAMPLER_ARG', {
    default: 1,
    description: 'The part of the traces that the samplers `…traceidratio` export, from 0 to 1.',
  }),
})
export type TracingSettings = {
  readonly otlpEndpoint: string | null
  readonly otlpHeaders: Headers | null
  readonly otelServiceName: string
  readonly tracesSampler: SamplerName
  readonly tracesSamplerArg: number
}
