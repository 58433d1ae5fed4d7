// How the attempts at a webhook are counted: as the requests of a key are, and those apart that nobody answered.
import { statusClasses } from './key-activity.ts'

/** In the order in which they are counted, which stays as it is. */
export const attemptClasses = [...statusClasses, 'noAnswer'] as const
