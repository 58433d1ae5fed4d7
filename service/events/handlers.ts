// The operations on events bound to their functions.
import type { Handlers } from '../execution/handler.ts'
import { listTypes } from './list-types.ts'
import type { LongPoll } from './long-poll.ts'
import { get, list } from './read.ts'

type Parts = { readonly longPoll: Pick<LongPoll, 'waitForEvents'> }

export const eventHandlers = ({ longPoll }: Parts) =>
  ({
    'event-types.list': listTypes,
    'events.list': list(longPoll),
    'events.get': get,
  }) satisfies Partial<Handlers>
