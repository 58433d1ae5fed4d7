// The four tools of every collection: list as rows, get one object, create and update. Changes answer with what tells
// the object apart and with the fields that were given.
import type { Operation } from '#contract/operation.ts'
import type { CollectionSegment } from '#contract/scopes.ts'
import { furtherFilters, type CollectionTools } from '#contract/tools/collection-tools.ts'
import { crmEntityCollection } from '#contract/tools/crm-entities.ts'
import { documentCollection } from '#contract/tools/documents.ts'
import { projectCollection } from '#contract/tools/projects.ts'
import { taskCollection } from '#contract/tools/tasks.ts'
import { maxTokensDefault, type Arguments } from '#contract/tools/tool.ts'
import { unknownField, refusedFields } from '../../validation/unknown-field.ts'
import { answerOptions, assertFields, type AnswerOptions } from './arguments.ts'
import {
  withShortTexts,
  cutMembers,
  cutNote,
  pageWithinBudget,
  cutToFit,
  type ListPage,
  type FittedPage,
} from './budget.ts'
import { conciseFields, picked, rows, concise, lines, type Fields } from './rendering.ts'
import { callOperation, type Runner, type ToolAnswer, type Exchange } from './runner.ts'

type RunnersOf<S extends CollectionSegment> = Readonly<Record<`${S}.${'list' | 'get' | 'create' | 'update'}`, Runner>>

export const projectRunners = runnersOf('projects', projectCollection)
export const taskRunners = runnersOf('tasks', taskCollection)
export const crmEntityRunners = runnersOf('crm-entities', crmEntityCollection)
export const documentRunners = runnersOf('documents', documentCollection)

function runnersOf<S extends CollectionSegment>(segment: S, collection: CollectionTools): RunnersOf<S> {
  const { list, get, create, update } = collection.operations
  const runners = {
    [`${segment}.list`]: listRunner({ segment, list, furtherFilters: furtherFilters(collection) }),
    [`${segment}.get`]: getRunner({ get, list }),
    [`${segment}.create`]: changeRunner({ segment, operation: create, done: 'Created.' }),
    [`${segment}.update`]: changeRunner({ segment, operation: update, done: 'Changed.' }),
  }
  // The keys are those of RunnersOf, made from the same segment.
  return runners as RunnersOf<S>
}

const limitDefault = 20

type ListedCollection = {
  readonly segment: CollectionSegment
  readonly list: Operation
  /** The filters that stand in the argument `filter`. */
  readonly furtherFilters: readonly string[]
}

function listRunner(listed: ListedCollection): Runner {
  const { segment, list } = listed
  return async (args, exchange) => {
    const { options, rest } = answerOptions(args)
    if (options.fields !== null) assertFields(list, options.fields)
    const { limit = limitDefault, expand = [], ...filters } = withFurtherFilters(rest, listed) as ListArguments
    const names = options.isFull ? null : (options.fields ?? conciseFields[segment])
    const input = {
      ...filters,
      ...(expand.length > 0 && { expand }),
      ...(names !== null && { fields: withoutId(names) }),
    }
    const read = async (count: number, isCounted: boolean): Promise<ListPage> => {
      const counting = isCounted ? { includeTotal: true } : {}
      const { body } = await callOperation(list, { ...input, ...counting, limit: count }, exchange)
      // What every list of a collection answers.
      return body as ListPage
    }
    const shape = itemShape(options, names === null ? null : ['id', ...names, ...expand, 'version', 'deletedAt'])
    const isFirst = rest['cursor'] === undefined
    return pageWithinBudget({
      limit,
      tokensMax: options.maxTokens,
      read,
      render: (shown) => rendered(shown, segment, shape, isFirst),
    })
  }
}

type ListArguments = Arguments & { readonly limit?: number; readonly expand?: readonly string[] }

const withoutId = (names: readonly string[]): readonly string[] => {
  const others = names.filter((name) => name !== 'id' && name !== 'version')
  return others.length > 0 ? others : ['id']
}

/** Throws `unknown_field` for a member of `filter` that is none of its filters. */
function withFurtherFilters({ filter = {}, ...args }: Arguments, { furtherFilters }: ListedCollection): Arguments {
  const unknown = Object.keys(filter as object).filter((name) => !furtherFilters.includes(name))
  if (unknown.length > 0) throw refusedFields(unknown.map((name) => unknownField('/filter', name, furtherFilters)))
  return { ...(filter as Arguments), ...args }
}

function itemShape({ isFull, fields }: AnswerOptions, names: readonly string[] | null) {
  return (item: Fields): Fields => {
    const short = withShortTexts(item) as Fields
    if (isFull || names === null) return short
    return fields === null ? picked(short, names) : Object.fromEntries(named(short, names))
  }
}

const named = (item: Fields, names: readonly string[]) =>
  Object.entries(item).filter(([name]) => names.includes(name) && (name !== 'deletedAt' || item['deletedAt'] !== null))

function rendered(
  { page: { data, page }, isTruncated, cut }: FittedPage,
  segment: CollectionSegment,
  shape: (item: Fields) => Fields,
  isFirst: boolean,
): ToolAnswer {
  const items = data.map(shape)
  const matching = page.total ?? (isFirst && !page.hasMore ? items.length : undefined)
  const counts = { shown: items.length, ...(matching !== undefined && { matching }), hasMore: page.hasMore }
  const structured = {
    data: items,
    page: { ...counts, ...(page.nextCursor !== null && { nextCursor: page.nextCursor }) },
    ...(isTruncated && { truncated: true }),
    ...cutMembers(cut),
  }
  const head = `${items.length}${matching === undefined ? '' : ` of ${matching}`} ${segment}.`
  const more = isTruncated && page.hasMore ? 'Truncated to fit `maxTokens`.' : page.hasMore ? 'There are more.' : ''
  const text = [
    [head, more, cutNote(cut)].filter((part) => part !== '').join(' '),
    ...(items.length > 0 ? [rows(items)] : []),
    ...(page.nextCursor === null ? [] : [`cursor to go on: ${page.nextCursor}`]),
  ].join('\n')
  return { structured, text }
}

type GetOperations = { readonly get: Operation; readonly list: Operation }

function getRunner({ get, list }: GetOperations): Runner {
  return async (args, exchange) => {
    const { options, rest } = answerOptions(args)
    if (options.fields !== null) assertFields(list, options.fields)
    const { body } = await callOperation(get, rest, exchange)
    // What is got of a collection is an object.
    return objectAnswer(fieldsAsked(body as Fields, options), options.maxTokens)
  }
}

/** `id` and `version` are always among them, and what was expanded. */
export function fieldsAsked(object: Fields, { isFull, fields }: AnswerOptions): Fields {
  if (isFull) return object
  if (fields === null) return concise(object)
  const names = new Set(['id', 'version', ...fields])
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.has(name)))
}

/** For what is around the fields. */
const frameTokens = 120

export function objectAnswer(whole: Fields, tokensMax: number): ToolAnswer {
  const { object, cut } = cutToFit(whole, tokensMax - frameTokens)
  const note = cutNote(cut)
  return {
    structured: { ...object, ...cutMembers(cut) },
    text: [lines(object), ...(note === '' ? [] : [note])].join('\n'),
  }
}

type ChangedCollection = {
  readonly segment: CollectionSegment
  readonly operation: Operation
  /** As in `Created.` */
  readonly done: string
}

export function changeRunner({ segment, operation, done }: ChangedCollection): Runner {
  return async (args, exchange) => {
    const { body, note, marks } = await change(operation, args, exchange, done)
    const given = Object.keys(args).filter((name) => !longTexts.has(name))
    const { structured, text } = objectAnswer(picked(body, [...conciseFields[segment], ...given]), maxTokensDefault)
    return { structured: { ...marks, ...structured }, text: `${note}\n${text}` }
  }
}

/** The caller has just written them. */
const longTexts = new Set(['content', 'description', 'summary'])

type ChangeOutcome = {
  readonly body: Fields
  /** The first line of the answer. */
  readonly note: string
  readonly marks: { readonly dryRun?: true }
}

export async function change(
  operation: Operation,
  { idempotencyKey, dryRun, ...input }: Arguments,
  exchange: Exchange,
  done: string,
): Promise<ChangeOutcome> {
  // Both have been validated against the tool's input.
  const options = { idempotencyKey: idempotencyKey as string | undefined, dryRun: dryRun === true }
  // A repeated call with the same key is answered as the first one was.
  const { body } = await callOperation(operation, input, exchange, options)
  const outcome = options.dryRun
    ? { note: 'Dry run: nothing was changed. It would be:', marks: { dryRun: true } as const }
    : { note: done, marks: {} }
  return { body: body as Fields, ...outcome }
}
