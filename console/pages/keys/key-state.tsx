// The status of a key.
import type { ReactNode } from 'react'
import type { ApiKey } from '#contract/api-keys.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import { texts } from './texts.tsx'

export type KeyStatus = ApiKey['status']

export const statusNames: Readonly<Record<KeyStatus, string>> = {
  active: texts.active,
  rotation_due: texts.rotationDue,
  suspended: texts.suspended,
  expired: texts.expired,
  revoked: texts.revoked,
}
const tones: Readonly<Record<KeyStatus, Tone>> = {
  active: 'good',
  rotation_due: 'warn',
  suspended: 'bad',
  expired: 'neutral',
  revoked: 'neutral',
}

export const KeyStatusBadge = ({ status }: { readonly status: KeyStatus }): ReactNode => (
  <Badge tone={tones[status]}>{statusNames[status]}</Badge>
)
