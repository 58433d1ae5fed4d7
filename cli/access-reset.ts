// `access reset`: a link with which somebody sets a new password.
import type { resetAccess } from '#contract/accounts.ts'
import type { Output } from '#contract/operation.ts'
import { withoutControls } from './format-answer.ts'

/** `baseUrl`: where the command has found the installation. */
export const resetText = ({ email, path, expiresAt }: Output<typeof resetAccess>, baseUrl: string): string =>
  `Whoever opens this link sets a new password for ${withoutControls(email)}. It works once, until ${expiresAt}:

  ${new URL(path, baseUrl).href}
`
