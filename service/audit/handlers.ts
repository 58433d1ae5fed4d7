// The operations on the audit log bound to their functions.
import type { Handlers } from '../execution/call.ts'
import type { Pager } from '../collection/pagination.ts'
import { list } from './list.ts'
import { verify } from './verify.ts'

type Parts = { readonly pager: Pager }

export const auditHandlers = ({ pager }: Parts) =>
  ({
    'audit-entries.list': list(pager),
    'audit-entries.verify': verify,
  }) satisfies Partial<Handlers>
