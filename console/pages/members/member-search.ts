// The filters of the list of members, as its address holds them. Pure.
import type { Member } from '#contract/members.ts'
import { roles } from '../../app/role-words.ts'
import { oneOf, searchOf, text } from '../../app/search-params.ts'

export const statuses = ['invited', 'active', 'suspended'] as const satisfies readonly Member['status'][]

/** Those that the list is sorted by. */
const orders = ['name', '-name', 'createdAt', '-createdAt'] as const

export const memberSearch = searchOf({ q: text, role: oneOf(roles), status: oneOf(statuses), sort: oneOf(orders) })
export type MemberSearch = ReturnType<typeof memberSearch>

/** The list takes no shorter text. */
const textLengthMin = 2

/** The input of the list. */
export function memberInput({ q = '', role, status, sort = 'name' }: MemberSearch) {
  const typed = q.trim()
  return {
    sort,
    ...(typed.length >= textLengthMin && { q: typed }),
    ...(role !== undefined && { role: [role] }),
    ...(status !== undefined && { status: [status] }),
  }
}
