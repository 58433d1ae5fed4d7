// The operations on deliveries and replay jobs bound to their functions.
import type { Handlers } from '../execution/handler.ts'
import type { Pager } from '../lists/cursor-pagination.ts'
import { listAttempts } from './list-attempts.ts'
import { get, list } from './read.ts'
import { cancelJob, getJob } from './replay-job.ts'
import { replayMany } from './start-replay-job.ts'
import { replay } from './replay-one.ts'

type DeliveryDeps = { readonly pager: Pager }

export const deliveryHandlers = ({ pager }: DeliveryDeps) =>
  ({
    'deliveries.list': list(pager),
    'deliveries.get': get,
    'deliveries.attempts': listAttempts(pager),
    'deliveries.replay': replay,
    'deliveries.replay-many': replayMany,
    'deliveries.get-replay-job': getJob,
    'deliveries.cancel-replay-job': cancelJob,
  }) satisfies Partial<Handlers>
