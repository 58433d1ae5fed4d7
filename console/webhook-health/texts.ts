// All texts about the health of a webhook, in one place for a translation.

export const texts = {
  noLimit: 'No limit',
  viewWebhook: (webhookName: string) => `View webhook ${webhookName}`,
  retryNow: 'Retry now',
  whichOfTheTwo:
    'If the endpoint works again: “Retry now” sends the waiting deliveries immediately. “Resend deliveries” sends earlier deliveries again, including failed ones.',
  retryingTheDeliveriesOf: (name: string) => `Retrying the deliveries of ${name}`,
  resendDeliveriesOfIt: 'Resend deliveries…',
  resendDeliveries: 'Resend deliveries',
  resend: 'Resend',
  resendCount: (total: number) => `Resend ${total}`,
  counting: 'Counting…',
  resendsPerMinute: 'Resends per minute',
  leaveEmptyToResendAll:
    'Leave empty for no limit. Even then, deliveries are not sent faster than the endpoint accepts them.',
  eachDeliveryIsSentOnce:
    'Each delivery is sent once more with the same ID, oldest first, to the current endpoint URL of its webhook.',
  webhook: 'Webhook',
  allWebhooks: 'All webhooks',
  deliveries: 'Deliveries',
  created: 'Created',
  resendStarted: 'Resend started.',
  ofDeliveriesResent: (replayed: number, total: number, job: string) =>
    `${replayed} of ${total} deliveries resent${job}`,
  atMostPerMinute: (perMinute: number) => ` At most ${perMinute} per minute.`,
  resent: 'Resent',
  stop: 'Stop',
  close: 'Close',
}
