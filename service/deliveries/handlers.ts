// The operations on deliveries and replay jobs bound to their functions.
import type { Handlers } from '../execution/handler.ts'
import type { Pager } from '../lists/pagination.ts'
import { attempts } from './attempts.ts'
import { cancelJob } from './cancel-replay-job.ts'
import { getJob } from './get-replay-job.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { replayMany } from './replay-many.ts'
import { replay } from './replay.ts'

type Parts = { readonly pager: Pager }

export const deliveryHandlers = ({ pager }: Parts) =>
  ({
    'deliveries.list': list(pager),
    'deliveries.get': get,
    'deliveries.attempts': attempts(pager),
    'deliveries.replay': replay,
    'deliveries.replay-many': replayMany,
    'deliveries.get-replay-job': getJob,
    'deliveries.cancel-replay-job': cancelJob,
  }) satisfies Partial<Handlers>
