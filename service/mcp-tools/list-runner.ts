// The tools that list: a page of a collection, as rows.
import type { Operation } from '#contract/operation.ts'
import type { CollectionSegment } from '#contract/scopes.ts'
import type { Arguments } from '#contract/tools/tool.ts'
import { unknownField, refusedFields } from '../validation/unknown-field.ts'
import { answerOptions, assertFields, type AnswerOptions } from './answer-arguments.ts'
import { callOperation } from './call-operation.ts'
import { conciseFields, picked, type Fields } from './concise-fields.ts'
import { withShortTexts } from './cut-fields.ts'
import { cutMembers, cutNote } from './cut-note.ts'
import { pageWithinBudget, type Page, type Shown } from './page-within-budget.ts'
import type { Runner, ToolAnswer } from './runner.ts'
import { rows } from './text-rendering.ts'

const limitDefault = 20

type Listed = {
  readonly segment: CollectionSegment
  readonly list: Operation
  /** The filters that stand in the argument `filter`. */
  readonly furtherFilters: readonly string[]
}

export function listRunner(listed: Listed): Runner {
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
    const read = async (count: number, isCounted: boolean): Promise<Page> => {
      const counting = isCounted ? { includeTotal: true } : {}
      const { body } = await callOperation(list, { ...input, ...counting, limit: count }, exchange)
      // What every list of a collection answers.
      return body as Page
    }
    const shape = itemShape(options, names === null ? null : ['id', ...names, ...expand, 'version', 'deletedAt'])
    const isFirst = rest['cursor'] === undefined
    return pageWithinBudget({
      ...{ limit, tokensMax: options.maxTokens, read },
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
function withFurtherFilters({ filter = {}, ...args }: Arguments, { furtherFilters }: Listed): Arguments {
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
  { page: { data, page }, isTruncated, cut }: Shown,
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
