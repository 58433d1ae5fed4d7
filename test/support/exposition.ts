// Reads Prometheus' text format, version 0.0.4, and takes nothing that the format does not allow: families in one
// piece, HELP and TYPE before their samples, no sample twice, names and escapes as specified, histograms whole.
type Labels = Readonly<Record<string, string>>
type ExposedSample = { readonly name: string; readonly labels: Labels; readonly value: number }
type Family = { type: string; help: string; samples: ExposedSample[] }
export type Exposed = ReadonlyMap<string, Readonly<Family>>

export async function scrape(url: string): Promise<Exposed> {
  const response = await fetch(url)
  const type = response.headers.get('content-type')
  if (response.status !== 200 || type !== 'text/plain; version=0.0.4; charset=utf-8')
    throw new Error(`${url} was answered ${response.status}, ${type}`)
  return parseExposition(await response.text())
}

export function parseExposition(text: string): Exposed {
  const families = new Map<string, Family>()
  let current: [string, Family] | null = null
  if (text !== '' && !text.endsWith('\n')) throw new Error('The last line does not end')
  for (const line of text.split('\n').slice(0, -1)) {
    const help = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) ((?:[^\\]|\\\\|\\n)+)$/.exec(line)
    const type = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)$/.exec(line)
    if (help !== null) {
      const [, name = '', words = ''] = help
      if (families.has(name)) throw new Error(`${name} stands in two places`)
      families.set(name, { type: '', help: words, samples: [] })
      current = [name, families.get(name)!]
    } else if (type !== null) {
      if (current === null || current[0] !== type[1] || current[1].type !== '') throw new Error(`Not here: ${line}`)
      current[1].type = type[2] ?? ''
    } else {
      if (current === null || current[1].type === '') throw new Error(`No HELP and TYPE before: ${line}`)
      current[1].samples.push(sampleIn(line, current[0], current[1].type))
    }
  }
  families.forEach((family, name) => assertWhole(name, family))
  return families
}

function sampleIn(line: string, family: string, type: string): ExposedSample {
  const parts = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? ([-+]?(?:\d[\d.e+-]*|Inf)|NaN)$/.exec(line)
  if (parts === null) throw new Error(`No sample: ${line}`)
  const [, name = '', labels = '', value = ''] = parts
  const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
  if (!suffixes.some((suffix) => name === family + suffix)) throw new Error(`${name} is not of ${family}`)
  return { name, labels: labelsIn(labels), value: numberIn(value) }
}

function labelsIn(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  let rest = text
  while (rest !== '') {
    const pair = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(?:,(?=.)|$)/.exec(rest)
    if (pair === null) throw new Error(`No labels: ${text}`)
    const [whole, name = '', value = ''] = pair
    if (name in labels) throw new Error(`${name} twice: ${text}`)
    labels[name] = value.replaceAll(/\\([\\"n])/g, (_all, escaped: string) => (escaped === 'n' ? '\n' : escaped))
    rest = rest.slice(whole.length)
  }
  return labels
}

function numberIn(text: string): number {
  const value = Number(text.replace('Inf', 'Infinity'))
  if (Number.isNaN(value) && text !== 'NaN') throw new Error(`No number: ${text}`)
  return value
}

function assertWhole(name: string, { type, samples }: Family): void {
  if (samples.length === 0) throw new Error(`${name} has no samples`)
  const keys = samples.map((sample) => sample.name + sorted(sample.labels))
  if (new Set(keys).size !== keys.length) throw new Error(`${name} has a sample twice`)
  if (type === 'counter' && samples.some(({ value }) => !(value >= 0))) throw new Error(`${name} is below 0`)
  if (type === 'histogram') seriesOf(samples).forEach((series) => assertHistogram(name, series))
}

const seriesOf = (samples: readonly ExposedSample[]): Map<string, ExposedSample[]> =>
  Map.groupBy(samples, ({ labels: { le: _le, ...labels } }) => sorted(labels))

function assertHistogram(name: string, series: readonly ExposedSample[]): void {
  const buckets = series.filter((sample) => sample.name === `${name}_bucket`)
  const bounds = buckets.map(({ labels }) => numberIn((labels['le'] ?? '').replace('+', '')))
  const rising = (numbers: readonly number[]) => numbers.every((each, at) => at === 0 || each >= numbers[at - 1]!)
  const count = series.find((sample) => sample.name === `${name}_count`)?.value
  const whole = bounds.at(-1) === Infinity && rising(bounds) && rising(buckets.map(({ value }) => value))
  if (!whole || count !== buckets.at(-1)?.value || !series.some((sample) => sample.name === `${name}_sum`))
    throw new Error(`${name} is no whole histogram`)
}

/** The sum of the samples with these labels among theirs; of a histogram, how many values it has taken. */
export function figure(exposed: Exposed, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const family = exposed.get(name)
  const shown = family?.type === 'histogram' ? `${name}_count` : name
  const isAsked = (sample: ExposedSample) =>
    sample.name === shown && Object.entries(labels).every(([key, value]) => sample.labels[key] === value)
  return (family?.samples ?? []).filter(isAsked).reduce((sum, { value }) => sum + value, 0)
}

/** The same text for the same labels, in whatever order they are. */
const sorted = (labels: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)))
