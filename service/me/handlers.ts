// The operations on the calling key bound to their functions.
import type { DefaultRates } from '#contract/rate-limits.ts'
import type { Handlers } from '../execution/handler.ts'
import { get } from './get.ts'
import { rotate } from './rotate.ts'

type MeDeps = { readonly rates: DefaultRates }

export const meHandlers = ({ rates }: MeDeps) =>
  ({
    'me.get': get(rates),
    'me.rotate': rotate,
  }) satisfies Partial<Handlers>
