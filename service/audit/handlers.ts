// The operations on the audit log bound to their functions.
import type { Handlers } from '../execution/handler.ts'
import type { Pager } from '../lists/cursor-pagination.ts'
import { list } from './list.ts'
import { verify } from './verify.ts'

type AuditDeps = { readonly pager: Pager }

export const auditHandlers = ({ pager }: AuditDeps) =>
  ({
    'audit-entries.list': list(pager),
    'audit-entries.verify': verify,
  }) satisfies Partial<Handlers>
