// Custom fields by their key or label: their list has no search of its own, and there are few.
import { listCustomFields, type CustomField } from '#contract/custom-fields.ts'
import { foldCase } from '../text/fold-case.ts'
import { callOperation } from './call-operation.ts'
import type { Exchange } from './exchange.ts'
import type { Asked, Hit, Hits } from './search-hits.ts'
import { pageItemsMax } from '#contract/pagination.ts'

const pagesMax = 5
const optionsMax = 20

export async function findCustomFields({ q, includeArchived, limit }: Asked, exchange: Exchange): Promise<Hits> {
  const all = await everyField(includeArchived, exchange)
  const words = foldCase(q ?? '').split(/\s+/)
  const found = all.filter(({ key, label, target }) => {
    const text = foldCase(`${key} ${label} ${target}`)
    return words.every((word) => text.includes(word))
  })
  return { data: found.slice(0, limit).map(hit), hasMore: found.length > limit }
}

async function everyField(includeArchived: boolean, exchange: Exchange): Promise<readonly CustomField[]> {
  const fields: CustomField[] = []
  let cursor: string | null = null
  for (let page = 0; page < pagesMax; page += 1) {
    const { data, page: read } = await pageAfter(cursor, includeArchived, exchange)
    fields.push(...data)
    cursor = read.nextCursor
    if (cursor === null) break
  }
  return fields
}

async function pageAfter(cursor: string | null, includeArchived: boolean, exchange: Exchange) {
  const input = { limit: pageItemsMax, includeArchived, ...(cursor !== null && { cursor }) }
  return (await callOperation(listCustomFields, input, exchange)).body
}

/** Values are set by `key`, in `customFields` of an object of that target. */
function hit({ key, target, type, label, required, options, archivedAt }: CustomField): Hit {
  const more = options.length - optionsMax
  return {
    type: 'custom-fields',
    key,
    target,
    valueType: type,
    label,
    ...(required && { required }),
    ...(options.length > 0 && { options: options.slice(0, optionsMax) }),
    ...(more > 0 && { moreOptions: more }),
    ...(archivedAt !== null && { archived: true }),
  }
}
