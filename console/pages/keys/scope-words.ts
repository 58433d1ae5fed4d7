// Scopes as people read them: a matrix of what × how, and sentences. Pure, and all of it of the contract's own list.
import { meaningOfScope, covers, scopes, type Scope } from '#contract/scopes.ts'

const names: Readonly<Record<string, string>> = {
  'crm-entities': 'CRM entities',
  'api-keys': 'API keys',
  'audit-entries': 'Audit log',
  requests: 'API log',
}

/** `crm-entities` as `CRM entities`. */
export const segmentName = (segment: string): string =>
  names[segment] ?? segment.slice(0, 1).toUpperCase() + segment.slice(1).replaceAll('-', ' ')

const partsOf = (scope: string): [segment: string, access: string] => {
  const [segment = '', access = ''] = scope.split(':')
  return [segment, access]
}

/** The kinds of access of the matrix. The last column has all others. */
export const columns = ['read', 'write', 'delete', 'more'] as const
export type Column = (typeof columns)[number]

export type MatrixRow = { readonly segment: string; readonly cells: Readonly<Partial<Record<Column, Scope>>> }

const columnOf = (access: string): Column => columns.find((column) => column === access) ?? 'more'

export const matrix: readonly MatrixRow[] = [...Map.groupBy(scopes, (scope) => partsOf(scope)[0])].map(
  ([segment, own]) => ({
    segment,
    cells: Object.fromEntries(own.map((scope) => [columnOf(partsOf(scope)[1]), scope])),
  }),
)

/** Returns the name of an access in the last column. */
export const accessName = (scope: Scope): string =>
  partsOf(scope)[1].replace('rotate-self', 'Rotate itself').replace('replay', 'Resend').replace('release', 'Release')

/** Held because another one is. */
export const isImplied = (held: ReadonlySet<string>, scope: Scope): boolean =>
  !held.has(scope) && covers([...held], scope)

/** One sentence for each thing that the key can do, and none for what it has only to be able to do more. */
export const sentences = (held: ReadonlySet<string>): string[] =>
  scopes.filter((scope) => held.has(scope)).map(meaningOfScope)

/** The strongest access to each thing: `Projects: read, write`. */
export function summaryOf(held: readonly string[]): string[] {
  const bySegment = [...Map.groupBy(held.map(partsOf), ([segment]) => segment)]
  return bySegment.map(([segment, parts]) => `${segmentName(segment)}: ${parts.map(([, access]) => access).join(', ')}`)
}

export const canDelete = (held: ReadonlySet<string>): boolean => [...held].some((scope) => scope.endsWith(':delete'))
