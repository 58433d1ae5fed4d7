// The values of the form of a webhook, new or edited, and the input that they become. Pure.
import type { OperationNamed } from '#contract/api.ts'
import type { CrmKind } from '#contract/crm-entities.ts'
import type { Input } from '#contract/operation.ts'
import type { Webhook } from '#contract/webhook-schema.ts'
import { conditionMistakes, conditionsOf, valuesOf as filterValues, type Condition } from './conditions.ts'
import { texts } from './texts.tsx'

export const crmKinds = ['company', 'contact', 'deal'] as const satisfies readonly CrmKind[]

export type WebhookValues = {
  readonly name: string
  readonly url: string
  readonly eventTypes: readonly string[]
  readonly payload: 'full' | 'thin'
  readonly order: Webhook['order']
  /** Empty: no limit. */
  readonly maxPerMinute: string
  /** One `Name: value` in a line. */
  readonly headers: string
  /** Of a webhook that has some: whether these take their place. */
  readonly replacesHeaders: boolean
  readonly ignoredKeyIds: readonly string[]
  readonly includeImports: boolean
  /** With commas between. */
  readonly changedFields: string
  readonly projectIds: string
  readonly kinds: readonly CrmKind[]
  readonly conditions: readonly Condition[]
}
type CreateInput = Input<OperationNamed<'webhooks.create'>>

export const blank: WebhookValues = {
  name: '',
  url: '',
  eventTypes: [],
  payload: 'full',
  order: 'none',
  maxPerMinute: '',
  headers: '',
  replacesHeaders: true,
  ignoredKeyIds: [],
  includeImports: true,
  changedFields: '',
  projectIds: '',
  kinds: [],
  conditions: [],
}

/** A webhook as the form shows it: values of headers are never told. */
export const valuesOf = ({
  name,
  url,
  eventTypes,
  payload,
  order,
  maxPerMinute,
  filter,
  ignoredKeyIds,
  includeImports,
  headerNames,
}: Webhook): WebhookValues => ({
  name,
  url,
  eventTypes,
  ignoredKeyIds,
  includeImports,
  payload,
  order,
  headers: '',
  replacesHeaders: headerNames.length === 0,
  maxPerMinute: maxPerMinute === null ? '' : String(maxPerMinute),
  changedFields: filter?.changedFields?.join(', ') ?? '',
  projectIds: filter?.projectIds?.join(', ') ?? '',
  kinds: filter?.kinds ?? [],
  conditions: conditionsOf(filter?.values),
})

/** All but the headers. */
export const fieldsOf = ({
  name,
  url,
  eventTypes,
  ignoredKeyIds,
  includeImports,
  payload,
  order,
  maxPerMinute,
  ...rest
}: WebhookValues) => ({
  name: name.trim(),
  url: url.trim(),
  eventTypes: [...eventTypes],
  payload,
  order,
  ignoredKeyIds: [...ignoredKeyIds],
  includeImports,
  maxPerMinute: maxPerMinute.trim() === '' ? null : Number(maxPerMinute),
  filter: filterOf(rest),
})

export function inputOf(values: WebhookValues): CreateInput {
  const headers = headersIn(values.headers)
  return { ...fieldsOf(values), ...(Object.keys(headers).length > 0 && { headers }) }
}

type Filtering = Pick<WebhookValues, 'changedFields' | 'projectIds' | 'kinds' | 'conditions'>

function filterOf({
  changedFields,
  projectIds,
  kinds,
  conditions,
}: Filtering): NonNullable<CreateInput['filter']> | null {
  const [fields, projects] = [listIn(changedFields), listIn(projectIds)]
  const values = filterValues(conditions)
  if (fields.length + projects.length + kinds.length + conditions.length === 0) return null
  return {
    ...(fields.length > 0 && { changedFields: fields }),
    ...(projects.length > 0 && { projectIds: projects }),
    ...(kinds.length > 0 && { kinds: [...kinds] }),
    ...(values && { values }),
  }
}

const listIn = (text: string): string[] => text.split(',').flatMap((one) => one.trim() || [])

export const headersIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const at = line.indexOf(':')
      return line.trim() === '' ? [] : [[line.slice(0, Math.max(at, 0)).trim(), line.slice(at + 1).trim()]]
    }),
  )

/** Finds a line that is not a header, which no schema can express. */
export function headerMistakes({ headers }: Pick<WebhookValues, 'headers'>): { readonly headers?: string } {
  const wrong = headers.split('\n').find((line) => line.trim() !== '' && !/^[^:\s]+\s*:\s*\S/.test(line.trim()))
  return wrong === undefined ? {} : { headers: texts.mustHaveTheFormName(wrong.trim()) }
}

export const mistakesInForm = (values: WebhookValues) => ({ ...headerMistakes(values), ...conditionMistakes(values) })

/** Secrets and headers are never sent to another scheme, host or port than those that they were made for. */
export const isMoved = (before: string, after: string): boolean =>
  URL.canParse(after.trim()) && new URL(before).origin !== new URL(after.trim()).origin

/** Patterns are an event type, all event types of a resource (`tasks.*`), or all (`*`). */
export const isChosen = (patterns: readonly string[], type: string): boolean =>
  patterns.includes('*') || patterns.includes(type) || patterns.includes(`${type.slice(0, type.indexOf('.'))}.*`)

export const toggled = (patterns: readonly string[], type: string, isOn: boolean): readonly string[] =>
  isOn ? [...patterns, type] : patterns.filter((pattern) => pattern !== type)

/** Without what is of this resource. */
export const withoutAll = (patterns: readonly string[], segment: string): readonly string[] =>
  patterns.filter((pattern) => !pattern.startsWith(`${segment}.`))
