// The operations on custom fields bound to their functions.
import type { Handlers } from '../execution/handler.ts'
import type { Pager } from '../lists/cursor-pagination.ts'
import { archive, unarchive } from './archive.ts'
import { get, list } from './read.ts'
import { create, update } from './write.ts'

type CustomFieldDeps = { readonly pager: Pager }

export const customFieldHandlers = ({ pager }: CustomFieldDeps) =>
  ({
    'custom-fields.list': list(pager),
    'custom-fields.get': get,
    'custom-fields.create': create,
    'custom-fields.update': update,
    'custom-fields.archive': archive,
    'custom-fields.unarchive': unarchive,
  }) satisfies Partial<Handlers>
