import { Fault } from '#contract/faults/fault.ts'
import type { checkWebhookUrl } from '#contract/webhooks.ts'
import type { Handler } from '../execution/handler.ts'
import { receiverUrl, type AllowedTargets } from './receiver-url.ts'

export const checkUrl =
  (allowed: AllowedTargets): Handler<typeof checkWebhookUrl> =>
  async ({ url }) => {
    const object = 'url_check'
    try {
      return { object, url: receiverUrl(url, allowed), problem: null }
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown
      return { object, url: null, problem: problemIn(thrown) }
    }
  }

/** The sentence about the field, without its name before it. */
function problemIn({ members, message }: Fault): string {
  const [first] = (members['errors'] ?? []) as readonly { readonly detail: string }[]
  return first?.detail ?? message
}
