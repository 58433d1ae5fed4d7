// The span of one attempt at a delivery. Of the address only host and port are told: many receivers are known by a
// secret in their path.
import type { Span } from '#runtime/tracing/span.ts'
import type { LoadedDelivery } from '../queue/delivery-rows.ts'
import type { Send } from './send.ts'

export function endAttemptSpan(span: Span, delivery: LoadedDelivery, answer: Awaited<ReturnType<Send>>): void {
  const { workspaceId, webhookId, id, eventType, attemptCount } = delivery
  const url = URL.parse(delivery.url)
  const status = answer.kind === 'answered' ? answer.status : null
  span.end({
    name: 'POST',
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      'server.address': url?.hostname ?? null,
      'server.port': url === null ? null : Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
      'url.scheme': url?.protocol.slice(0, -1) ?? null,
      'http.response.status_code': status,
      'http.request.resend_count': attemptCount > 0 ? attemptCount : null,
      'event.type': eventType,
      'webhook.id': webhookId,
      'delivery.id': id,
      'workspace.id': workspaceId,
    },
    error: errorOf(answer),
  })
}

/** As the semantic conventions have it for what a client gets. */
function errorOf(answer: Awaited<ReturnType<Send>>): string | null {
  if (answer.kind === 'answered') return answer.status >= 400 ? String(answer.status) : null
  return answer.kind === 'failed' ? answer.error : 'proxy_error'
}
