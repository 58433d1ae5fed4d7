// The operations on the calling key bound to their functions.
import type { Handlers } from '../execution/handler.ts'
import { get } from './get.ts'
import { rotate } from './rotate.ts'

export const meHandlers = {
  'me.get': get,
  'me.rotate': rotate,
} satisfies Partial<Handlers>
