// The operations on the calling key bound to their functions.
import type { DefaultRates } from '#contract/rate-limits.ts'
import type { Handlers } from '../execution/call.ts'
import { get } from './get.ts'
import { rotate } from './rotate.ts'

type Parts = { readonly rates: DefaultRates }

export const meHandlers = ({ rates }: Parts) =>
  ({
    'me.get': get(rates),
    'me.rotate': rotate,
  }) satisfies Partial<Handlers>
