// The operations on events bound to their functions.
import type { Handlers } from '../execution/handler.ts'
import { get } from './get.ts'
import { listTypes } from './list-types.ts'
import { list } from './list.ts'
import type { Waiting } from './long-poll.ts'

type Parts = { readonly waiting: Pick<Waiting, 'more'> }

export const eventHandlers = ({ waiting }: Parts) =>
  ({
    'event-types.list': listTypes,
    'events.list': list(waiting),
    'events.get': get,
  }) satisfies Partial<Handlers>
