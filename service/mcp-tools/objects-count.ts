// Counts objects by the filters of their list, and puts names beside the ids of groups where the key may read them.
import { operationNamed } from '#contract/api.ts'
import { covers, type Scope } from '#contract/scopes.ts'
import { withArgumentNames } from './argument-names.ts'
import { maxTokensDefault } from '#contract/tools/tool.ts'
import { callOperation } from './call-operation.ts'
import type { Exchange } from './exchange.ts'
import { itemsThatFit } from './items-that-fit.ts'
import type { Runner } from './runner.ts'

type Arguments = {
  readonly type: string
  readonly filter?: Readonly<Record<string, unknown>>
  readonly groupBy?: string
}
type Group = { readonly value: string | null; readonly count: number }
type Counted = { readonly total: number; readonly groups: readonly Group[]; readonly moreGroups: number }
type Named = Group & { readonly name?: string }

/** Where the names of a field's ids are. */
const namesIn: Readonly<Record<string, string>> = {
  ownerId: 'members',
  companyId: 'crm-entities',
  projectId: 'projects',
}
const namesMax = 100

export const runCount: Runner = async (args, exchange) => {
  // The arguments have been validated against the tool's input.
  const { type, filter = {}, groupBy } = args as Arguments
  const input = { ...filter, ...(groupBy !== undefined && { groupBy }) }
  const inFilter = (name: string) => (name === 'groupBy' ? name : `filter.${name}`)
  const { body } = await withArgumentNames(inFilter, () =>
    callOperation(operationNamed(`${type}.count`), input, exchange),
  )
  const { total, groups, moreGroups } = body as Counted
  const named = await withNames(groups, namesIn[groupBy ?? ''], exchange)
  const shown = itemsThatFit(named, (group) => JSON.stringify(group), maxTokensDefault)
  const more = named.length - shown.length + moreGroups
  return {
    structured: { total, groups: shown, ...(more > 0 && { truncated: true, moreGroups: more }) },
    text: [
      `${total} ${type}`,
      ...shown.map(row),
      ...(more > 0 ? [`${more} smaller groups are left out: narrow \`filter\`.`] : []),
    ].join('\n'),
  }
}

const row = ({ value, name, count }: Named): string =>
  `- ${value ?? '(none)'}${name === undefined ? '' : ` ${JSON.stringify(name)}`}: ${count}`

async function withNames(
  groups: readonly Group[],
  segment: string | undefined,
  exchange: Exchange,
): Promise<readonly Named[]> {
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
