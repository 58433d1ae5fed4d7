import type { ReactNode } from 'react'
import type { DeliveryStatus } from '#contract/deliveries.ts'
import { Badge } from '../ui/badge.tsx'
import { statusWords } from './delivery-words.ts'

export const DeliveryBadge = ({ status }: { readonly status: DeliveryStatus }): ReactNode => (
  <Badge tone={statusWords[status].tone}>{statusWords[status].label}</Badge>
)
