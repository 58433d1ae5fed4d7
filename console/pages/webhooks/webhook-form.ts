// What the form of a new webhook holds, and the call that it makes of it. Pure.
import type { OperationNamed } from '#contract/api.ts'
import type { Input } from '#contract/operation.ts'

export type WebhookValues = {
  readonly name: string
  readonly url: string
  readonly eventTypes: readonly string[]
  readonly payload: 'full' | 'thin'
  /** One `Name: value` in a line. */
  readonly headers: string
  /** With commas between. */
  readonly changedFields: string
  readonly projectIds: string
}
export type CreateInput = Input<OperationNamed<'webhooks.create'>>

export const blank: WebhookValues = {
  ...{ name: '', url: '', eventTypes: [], payload: 'full', headers: '', changedFields: '', projectIds: '' },
}

export function inputOf({ name, url, eventTypes, payload, ...rest }: WebhookValues): CreateInput {
  const headers = headersIn(rest.headers)
  const [changedFields, projectIds] = [listIn(rest.changedFields), listIn(rest.projectIds)]
  const isFiltered = changedFields.length + projectIds.length > 0
  return {
    ...{ name: name.trim(), url: url.trim(), eventTypes: [...eventTypes], payload },
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(isFiltered && {
      filter: { ...(changedFields.length > 0 && { changedFields }), ...(projectIds.length > 0 && { projectIds }) },
    }),
  }
}

const listIn = (text: string): string[] => text.split(',').flatMap((one) => one.trim() || [])

const headersIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const at = line.indexOf(':')
      return line.trim() === '' ? [] : [[line.slice(0, Math.max(at, 0)).trim(), line.slice(at + 1).trim()]]
    }),
  )

/** A line of headers that is none; undefined where all are. */
export function headerMistake(text: string): string | undefined {
  const wrong = text.split('\n').find((line) => line.trim() !== '' && !/^[^:\s]+\s*:\s*\S/.test(line.trim()))
  return wrong === undefined ? undefined : `“${wrong.trim()}” is not a name, a colon and a value.`
}
