// What is typed, as a request: its address, headers and body, or what is wrong with it. Pure.
import type { SampleCall } from '#contract/call-samples.ts'
import { workspaceField, type FieldSpec, type TriedOperation } from './description.ts'
import { texts } from './texts.tsx'

/** By the place and the name of a field. */
type Typed = Readonly<Record<string, string>>
/** `json`: the body as a whole, where it is written so; null: by its fields. */
export type Written = { readonly fields: Typed; readonly json: string | null }

export type TriedRequest = {
  readonly method: string
  /** The path with the query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}
export type Mistakes = Readonly<Record<string, string>>

export const placeOf = ({ place, name }: Pick<FieldSpec, 'place' | 'name'>): string => `${place} ${name}`
export const wholeBody = 'body'

export function requestOf(
  operation: TriedOperation,
  { fields, json }: Written,
  workspaceId: string,
): { readonly request: TriedRequest; readonly mistakes: Mistakes } {
  const { method, path, body } = operation
  const typed = (place: FieldSpec['place']): [FieldSpec, string][] =>
    operation.fields
      .filter((field) => field.place === place)
      .map((field): [FieldSpec, string] => [field, fields[placeOf(field)] ?? ''])
      .filter(([, text]) => text !== '')
  const query = new URLSearchParams(typed('query').map(([{ name }, text]): [string, string] => [name, text])).toString()
  const filled = path.replace(/\{(\w+)\}/g, (template, name: string) => {
    const text = name === workspaceField ? workspaceId : (fields[placeOf({ place: 'path', name })] ?? '')
    return isSegment(text) ? encodeURIComponent(text.toWellFormed()) : template
  })
  const written = json === null ? bodyOfFields(typed('body')) : readJson(json, wholeBody)
  const hasBody = body.kind === 'fields' || body.kind === 'json'
  return {
    request: {
      method,
      target: filled + (query === '' ? '' : `?${query}`),
      headers: {
        ...(hasBody && { 'content-type': body.type }),
        ...Object.fromEntries(typed('header').map(([{ name }, text]) => [name.toLowerCase(), text])),
      },
      body: hasBody ? written.value : null,
    },
    mistakes: { ...missing(operation, fields, json), ...(hasBody ? written.mistakes : {}) },
  }
}

/** Nothing and dots would make the path that of something else. */
const isSegment = (text: string): boolean => !['', '.', '..'].includes(text)

/** The service says what else is wrong: whoever tries the API wants to see how. */
function missing({ fields, body }: TriedOperation, typed: Typed, json: string | null): Mistakes {
  const needed = fields.filter(({ place, isRequired }) => place === 'path' || (isRequired && place === 'query'))
  const inBody = fields.filter(({ place, isRequired }) => place === 'body' && isRequired)
  const all = [...needed, ...(json === null && body.kind === 'fields' ? inBody : [])]
  const isThere = (field: FieldSpec, text: string): boolean => (field.place === 'path' ? isSegment(text) : text !== '')
  const found = all.filter((field) => !isThere(field, typed[placeOf(field)] ?? ''))
  return Object.fromEntries(found.map((field) => [placeOf(field), texts.required]))
}

type Read = { readonly value: unknown; readonly mistakes: Mistakes }

function bodyOfFields(typed: readonly [FieldSpec, string][]): Read {
  const read = typed.map(([field, text]) => [field.name, valueOf(field, text)] as const)
  return {
    value: Object.fromEntries(read.map(([name, { value }]) => [name, value])),
    mistakes: Object.assign({}, ...read.map(([, { mistakes }]) => mistakes)) as Mistakes,
  }
}

function valueOf(field: FieldSpec, text: string): Read {
  if (field.kind === 'text' || field.kind === 'choice') return { value: text, mistakes: {} }
  return readJson(text, placeOf(field))
}

function readJson(text: string, place: string): Read {
  try {
    return { value: JSON.parse(text) as unknown, mistakes: {} }
  } catch {
    return { value: text, mistakes: { [place]: texts.notValidJson } }
  }
}

export const bodyText = (body: unknown): string => JSON.stringify(body, null, 2)

/** The example of the description: all of its body, and the parameters without which nothing is sent. */
export function withExamples({ fields, body }: TriedOperation, written: Written): Written {
  const example = 'example' in body ? body.example : null
  const isShown = ({ place, isRequired }: FieldSpec): boolean => place === 'path' || place === 'body' || isRequired
  const given = fields.filter(isShown).map((field) => [placeOf(field), field.example] as const)
  return {
    fields: { ...written.fields, ...Object.fromEntries(given.filter(([, text]) => text !== '')) },
    json: written.json === null ? null : bodyText(example),
  }
}

/** What the fields hold, as far as it can be read. */
export function asJson(operation: TriedOperation, written: Written): Written {
  return { ...written, json: bodyText(requestOf(operation, written, '').request.body) }
}

/** As samples show it. The key is added by them. */
export const sampleOf = ({ method, target, headers, body }: TriedRequest, origin: string): SampleCall => ({
  method,
  url: [origin + target],
  headers: Object.entries(headers).map(([name, value]) => [name, [value]] as const),
  body,
})

/** A deletion, or an action that sends, restores, rotates or changes many at once: asked about before it is sent. */
export function isRisky({ method, name }: Pick<TriedOperation, 'method' | 'name'>): boolean {
  if (method === 'DELETE' || name === 'jobs.create') return true
  return method === 'POST' && !name.split('.').at(-1)?.startsWith('create')
}
