// The tools for many objects: `objects.bulk` and `objects.restore` are a batch, of which every item has an outcome;
// `objects.delete` deletes one by one, since a batch would need the scope to write, which a key that may delete need
// not have; `objects.count` counts by the filters of a list, and puts names beside the ids of groups where the key may
// read them.
import { createHash } from 'node:crypto'
import { operationNamed } from '#contract/api.ts'
import { Fault, asFault } from '#contract/faults/fault.ts'
import type { Problem } from '#contract/faults/problem-details.ts'
import { covers, type Scope } from '#contract/scopes.ts'
import { maxTokensDefault } from '#contract/tools/tool.ts'
import { UnreadableItem } from '../../text/parse-json.ts'
import { withArgumentNames } from './arguments.ts'
import { itemsThatFit } from './budget.ts'
import { outcomesAnswer, failureOf, type Outcome } from './outcomes.ts'
import { callOperation, type Exchange, type ToolAnswer, type Runner } from './runner.ts'

/** An item's own words, as far as they are text: the batch refuses what is no item. */
type BatchItem = { readonly action?: string; readonly id?: string }
type BatchArguments = {
  readonly type: string
  readonly items: readonly unknown[]
  readonly atomic?: boolean
  readonly dryRun?: boolean
  readonly idempotencyKey?: string
}
type ItemResult = {
  readonly index: number
  readonly status: number
  readonly externalSource?: string
  readonly externalId?: string
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly problem?: Problem
}

/** `shown`: what of an item its outcome names. */
async function runBatch(
  { type, items, atomic, dryRun = false, idempotencyKey }: BatchArguments,
  exchange: Exchange,
  shown: (item: BatchItem) => Partial<Outcome>,
): Promise<ToolAnswer> {
  const operation = operationNamed(`${type}.batch`)
  const input = { items, ...(atomic !== undefined && { atomic }) }
  const outcomeOf = (result: ItemResult): Outcome => {
    const item = textsOf(items[result.index])
    return { ...outcomeIn(result, item, dryRun), ...shown(item) }
  }
  const { action = '' } = textsOf(items[0])
  try {
    const { body } = await callOperation(operation, input, exchange, {
      dryRun,
      idempotencyKey,
      onProgress: exchange.onProgress,
    })
    const { results } = body as { readonly results: readonly ItemResult[] }
    return outcomesAnswer(results.map(outcomeOf), action, dryRun)
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== 'batch_failed') throw thrown
    // The contract of a batch says that this fault carries the results that were refused.
    const refused = thrown.members['results'] as readonly ItemResult[]
    return noneDone(thrown.message, refused.map(outcomeOf), action)
  }
}

function noneDone(message: string, outcomes: readonly Outcome[], action: string): ToolAnswer {
  const { structured, text } = outcomesAnswer(outcomes, action, false)
  const [, ...lines] = text.split('\n')
  return { structured, text: [`batch_failed: ${message}`, ...lines].join('\n'), isError: true }
}

function textsOf(item: unknown): BatchItem {
  const { action, id } = item instanceof UnreadableItem ? item.texts : ((item ?? {}) as Record<string, unknown>)
  return { ...(typeof action === 'string' && { action }), ...(typeof id === 'string' && { id }) }
}

/** Longer ones are refused, and would take the room of other outcomes. */
const ownIdLengthMax = 200

function outcomeIn(result: ItemResult, { action, id }: BatchItem, isDryRun: boolean): Outcome {
  const { index, status, externalSource, externalId, data, problem } = result
  const named = {
    ...(id !== undefined && { id }),
    ...(externalSource !== undefined && { externalSource }),
    ...(externalId !== undefined && externalId.length <= ownIdLengthMax && { externalId }),
  }
  if (problem !== undefined) return { index, ...named, ...failureOf(problem) }
  if (data === null || data === undefined) return { index, ...named, ok: true }
  // What a dry run would create has no id that lasts.
  const lasts = !(isDryRun && (action === 'create' || status === 201))
  const identifier = data['identifier'] ?? data['key']
  return {
    index,
    ok: true,
    ...(lasts && { id: String(data['id']) }),
    ...(lasts && typeof identifier === 'string' && { identifier }),
    name: String(data['name'] ?? data['title']),
    version: Number(data['version']),
  }
}

export const runBulk: Runner = (args, exchange) =>
  // The arguments have been validated against the tool's input.
  runBatch(args as BatchArguments, exchange, ({ action = '' }) => ({ action: action.slice(0, 20) }))

type RestoreArguments = {
  readonly type: string
  readonly ids: readonly string[]
  readonly dryRun?: boolean
  readonly idempotencyKey?: string
}

export const runRestore: Runner = (args, exchange) => {
  // The arguments have been validated against the tool's input.
  const { ids, ...more } = args as RestoreArguments
  const items = ids.map((id) => ({ action: 'restore', id }))
  return runBatch({ ...more, items }, exchange, ({ id = '' }) => ({ id }))
}

type DeleteArguments = {
  readonly type: string
  readonly ids: readonly string[]
  readonly expectedVersion?: number
  readonly dryRun?: boolean
  readonly idempotencyKey?: string
}
type OneDeletion = Omit<DeleteArguments, 'ids'> & { readonly id: string; readonly index: number }

export const runDelete: Runner = async (args, exchange) => {
  // The arguments have been validated against the tool's input.
  const { ids, ...more } = args as DeleteArguments
  assertOneVersion(ids, more.expectedVersion)
  const outcomes: Outcome[] = []
  for (const [index, id] of ids.entries()) {
    outcomes.push(await deleteOne({ ...more, id, index }, exchange))
    exchange.onProgress?.(index + 1, ids.length)
  }
  return outcomesAnswer(outcomes, 'delete', more.dryRun === true)
}

async function deleteOne(one: OneDeletion, exchange: Exchange): Promise<Outcome> {
  const { type, id, index, expectedVersion, dryRun = false, idempotencyKey } = one
  const input = { id, ...(expectedVersion !== undefined && { expectedVersion }) }
  try {
    await callOperation(operationNamed(`${type}.delete`), input, exchange, {
      dryRun,
      // Each is a change of its own.
      idempotencyKey: idempotencyKey === undefined ? undefined : partOf(idempotencyKey, index),
    })
    return { index, id, ok: true, ...(dryRun && (await nameOf(type, id, exchange))) }
  } catch (thrown) {
    const fault = asFault(thrown)
    if (exchange.signal.aborted || fault.status >= 500) throw thrown
    const { code, message: detail, members } = fault
    return { index, id, ...failureOf({ code, detail, ...members }) }
  }
}

/** The length of a key has a bound, which a part's must not pass. */
const partOf = (key: string, index: number): string =>
  `${createHash('sha256').update(key).digest('base64url')}#${index}`

/** A dry run says what it is that would go. */
async function nameOf(type: string, id: string, exchange: Exchange): Promise<Pick<Outcome, 'name' | 'version'>> {
  const { body } = await callOperation(operationNamed(`${type}.get`), { id, includeDeleted: true }, exchange)
  const { name, title, version } = body as { readonly name?: string; readonly title?: string; readonly version: number }
  return { name: name ?? title ?? '', version }
}

function assertOneVersion({ length }: readonly string[], expectedVersion: number | undefined): void {
  if (expectedVersion === undefined || length === 1) return
  const detail = 'A version is one object’s: give it with one id.'
  throw new Fault('validation_failed', `expectedVersion: ${detail}`, {
    errors: [{ pointer: '/expectedVersion', code: 'not_in_list', detail }],
  })
}

type CountArguments = {
  readonly type: string
  readonly filter?: Readonly<Record<string, unknown>>
  readonly groupBy?: readonly string[]
  readonly sum?: string
  readonly timeZone?: string
}
type Sum = { readonly currency: string | null; readonly sum: string }
type CountGroup = {
  readonly value: string | null
  readonly values?: readonly (string | null)[]
  readonly count: number
  readonly sums?: readonly Sum[]
}
type CountResult = {
  readonly total: number
  readonly sums?: readonly Sum[]
  readonly groups: readonly CountGroup[]
  readonly moreGroups: number
}
type NamedGroup = CountGroup & { readonly name?: string }

/** The collections that have the names of a field's ids. */
const namesIn: Readonly<Record<string, string>> = {
  ownerId: 'members',
  assigneeId: 'members',
  memberId: 'members',
  parentCompanyId: 'crm-entities',
  contactId: 'crm-entities',
  crmEntityId: 'crm-entities',
  companyId: 'crm-entities',
  projectId: 'projects',
}
const namesMax = 100

export const runCount: Runner = async (args, exchange) => {
  // The arguments have been validated against the tool's input.
  const { type, filter = {}, ...by } = args as CountArguments
  const input = { ...filter, ...countedBy(by) }
  const inFilter = (name: string) => (['groupBy', 'sum', 'timeZone'].includes(name) ? name : `filter.${name}`)
  const { body } = await withArgumentNames(inFilter, () =>
    callOperation(operationNamed(`${type}.count`), input, exchange),
  )
  const { total, sums, groups, moreGroups } = body as CountResult
  const named = await withNames(groups, namesIn[by.groupBy?.[0] ?? ''], exchange)
  const shown = itemsThatFit(named, (group) => JSON.stringify(group), maxTokensDefault)
  const more = named.length - shown.length + moreGroups
  return {
    structured: { total, ...(sums && { sums }), groups: shown, ...(more > 0 && { truncated: true, moreGroups: more }) },
    text: [
      `${total} ${type}${sumText(sums)}`,
      ...shown.map(groupLine),
      ...(more > 0 ? [`${more} smaller groups are left out: narrow \`filter\`.`] : []),
    ].join('\n'),
  }
}

/** Arguments that the caller left out are not sent on. */
const countedBy = ({ groupBy, sum, timeZone }: Omit<CountArguments, 'type' | 'filter'>) => ({
  ...(groupBy !== undefined && { groupBy }),
  ...(sum !== undefined && { sum }),
  ...(timeZone !== undefined && { timeZone }),
})

function groupLine({ value, values = [value], name, count, sums }: NamedGroup): string {
  const [first, ...others] = values.map((each) => each ?? '(none)')
  const called = name === undefined ? first : `${first} ${JSON.stringify(name)}`
  return `- ${[called, ...others].join(', ')}: ${count}${sumText(sums)}`
}

const sumText = (sums: readonly Sum[] = []): string =>
  sums.map(({ currency, sum }) => `, ${currency === null ? sum : `${sum} ${currency}`}`).join('')

async function withNames(
  groups: readonly CountGroup[],
  segment: string | undefined,
  exchange: Exchange,
): Promise<readonly NamedGroup[]> {
  const ids = groups.flatMap(({ value }) => value ?? []).slice(0, namesMax)
  const { scopes } = exchange.caller.principal
  if (segment === undefined || ids.length === 0 || !covers(scopes, `${segment}:read` as Scope)) return groups
  const { body } = await callOperation(operationNamed(`${segment}.list`), { ids, limit: namesMax }, exchange)
  const { data } = body as { readonly data: readonly { readonly id: string; readonly name: string }[] }
  const names = new Map(data.map(({ id, name }) => [id, name]))
  return groups.map((group) => {
    const name = names.get(group.value ?? '')
    return name === undefined ? group : { ...group, name }
  })
}
