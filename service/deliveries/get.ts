import type { getDelivery } from '#contract/deliveries.ts'
import type { Handler } from '../execution/handler.ts'
import { findDelivery } from './rows.ts'

export const get: Handler<typeof getDelivery> = ({ id }, call) => findDelivery(call, id)
