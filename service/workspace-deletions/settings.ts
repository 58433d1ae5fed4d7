// For how long a workspace that is deleted can be taken back.
import { graceDaysDefault, graceDaysMax } from '#contract/workspace-deletions.ts'
import { integer } from '#runtime/settings.ts'

export const workspaceDeletionSettings = {
  deletionGraceDays: integer('WORKSPACE_DELETION_GRACE_DAYS', {
    default: graceDaysDefault,
    min: 0,
    max: graceDaysMax,
    unit: 'days',
    description: 'For how long a deleted workspace can be restored, unless the request says otherwise.',
  }),
}
