// The operations that can be tried, read from the description that the installation serves. Pure.
import type { Scope } from '#contract/scopes.ts'

type Node = { readonly [name: string]: unknown }
export type Description = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: Node
}
type Described = {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly 'x-scope'?: Scope
  readonly 'x-roles'?: readonly string[]
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly unknown[]
  readonly requestBody?: unknown
}

export type TriedOperation = {
  readonly name: string
  readonly method: string
  /** A template. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly about: string
  readonly scope: Scope | null
  /** The roles that may call it, of an operation of the settings. */
  readonly roles: readonly string[] | null
  readonly fields: readonly FieldSpec[]
  readonly body: BodySpec
}
export type FieldSpec = {
  readonly name: string
  readonly place: 'path' | 'query' | 'header' | 'body'
  readonly isRequired: boolean
  readonly about: string
  readonly kind: 'text' | 'number' | 'choice' | 'boolean' | 'json'
  readonly choices: readonly string[]
  /** As it is typed. */
  readonly example: string
}
/** `file`: bytes, which this page does not send. `json`: of no fixed fields. */
type BodySpec =
  | { readonly kind: 'none' | 'file' }
  | { readonly kind: 'fields' | 'json'; readonly type: string; readonly example: unknown }

/** The workspace of the page fills it in. */
export const workspaceField = 'workspaceId'

/** `isOfSession`: those of the settings that people who are signed in may call in a workspace. */
export function operationsIn(description: Description, isOfSession: boolean): TriedOperation[] {
  const found = Object.entries(description.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).flatMap(([method, described]) =>
      described.operationId === undefined || (isOfSession && !isInWorkspace(path, described))
        ? []
        : [operationOf(description, path, method, described)],
    ),
  )
  return found.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

const isInWorkspace = (path: string, { security = [] }: Described): boolean =>
  path.includes(`{${workspaceField}}`) && security.some((each) => 'session' in each)

function operationOf(description: Description, path: string, method: string, described: Described): TriedOperation {
  const body = bodyOf(description, described.requestBody)
  return {
    name: described.operationId ?? '',
    method: method.toUpperCase(),
    path,
    tag: described.tags?.[0] ?? '',
    summary: described.summary ?? '',
    about: described.description ?? '',
    scope: described['x-scope'] ?? null,
    roles: described['x-roles'] ?? null,
    fields: [...parametersOf(description, described.parameters ?? []), ...body.fields],
    body: body.spec,
  }
}

/** Follows a reference within the document. */
function resolved(description: Description, node: unknown): Node {
  const at = (node ?? {}) as Node
  const reference = at['$ref']
  if (typeof reference !== 'string') return at
  const names = reference
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const target = names.reduce<unknown>((found, name) => (found as Node | undefined)?.[name], description)
  // What stands beside a reference says it more precisely.
  return {
    ...resolved(description, target),
    ...Object.fromEntries(Object.entries(at).filter(([key]) => key !== '$ref')),
  }
}

/** Filters by custom fields have names of their own, which no field here can have. */
const isOfFixedName = ({ schema }: Node): boolean => (schema as Node | undefined)?.['type'] !== 'object'

function parametersOf(description: Description, parameters: readonly unknown[]): FieldSpec[] {
  return parameters
    .map((parameter) => resolved(description, parameter))
    .filter((parameter) => isOfFixedName(parameter) && parameter['name'] !== workspaceField)
    .map((parameter) => ({
      ...fieldOf(description, parameter['schema'], parameter['example']),
      name: String(parameter['name']),
      place: parameter['in'] as FieldSpec['place'],
      isRequired: parameter['required'] === true,
      about: textOf(parameter['description']),
    }))
    .map((field) => (field.kind === 'json' ? { ...field, kind: 'text' as const } : field))
}

function bodyOf(description: Description, given: unknown): { spec: BodySpec; fields: FieldSpec[] } {
  const content = resolved(description, given)['content'] as Readonly<Record<string, Node>> | undefined
  if (content === undefined) return { spec: { kind: 'none' }, fields: [] }
  const type = ['application/json', ...Object.keys(content)].find((each) => each in content && each.includes('json'))
  if (type === undefined) return { spec: { kind: 'file' }, fields: [] }
  const media: Node = content[type] ?? {}
  const { schema, example = {} } = media
  const { properties, required } = resolved(description, schema) as {
    properties?: Readonly<Record<string, unknown>>
    required?: readonly string[]
  }
  if (properties === undefined) return { spec: { kind: 'json', type, example }, fields: [] }
  const fields = Object.entries(properties).map(([name, each]): FieldSpec => ({
    ...fieldOf(description, each, (example as Node)[name]),
    name,
    place: 'body',
    isRequired: required?.includes(name) === true,
    about: textOf(resolved(description, each)['description']),
  }))
  return { spec: { kind: 'fields', type, example }, fields }
}

type Typed = Pick<FieldSpec, 'kind' | 'choices' | 'example'>

function fieldOf(description: Description, given: unknown, example: unknown): Typed {
  const schema = resolved(description, given)
  const typed = { choices: [], example: asTyped(example) }
  if (Array.isArray(schema['enum'])) return { ...typed, kind: 'choice', choices: schema['enum'].map(asTyped) }
  const types = [schema['type']].flat().filter((type) => type !== 'null')
  if (types.length !== 1) return { ...typed, kind: 'json' }
  switch (types[0]) {
    case 'string':
      return { ...typed, kind: 'text' }
    case 'integer':
    case 'number':
      return { ...typed, kind: 'number' }
    case 'boolean':
      return { ...typed, kind: 'boolean', choices: ['true', 'false'] }
    default:
      return { ...typed, kind: 'json' }
  }
}

/** As a person would type it: text as it is, all else as JSON. */
const asTyped = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
