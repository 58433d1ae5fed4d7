// Why a delivery has not been taken, as `errorCode` of an attempt and `lastErrorCode` of a delivery say it: one code
// for each cause.
export const deliveryErrors = {
  http_status: 'The endpoint responded with a status other than 2xx.',
  timeout: 'There was no connection within 5 seconds, or no response within 15.',
  connect_error: 'The connection could not be opened.',
  connection_closed: 'The endpoint accepted the connection and closed it without a response.',
  invalid_response: 'The response is not valid HTTP/1.1, or its headers are longer than 16 KiB.',
  tls_error:
    'The TLS handshake failed: the certificate is expired or for another name, or the endpoint does not use TLS.',
  dns_error: 'The host name has no IP address, or none of its name servers responded.',
  blocked_address: 'The host name resolves to an IP address that webhooks cannot be sent to.',
  invalid_url: 'Webhooks cannot be sent to this URL.',
  signing_failed:
    'The delivery could not be signed, through no fault of the endpoint: it waits, and no attempt is counted.',
  proxy_error:
    'The proxy of this installation could not be used, through no fault of the endpoint: the delivery waits, and no attempt is counted.',
  host_busy:
    'The webhooks of the workspace have reached the limit of requests a second to this host: the delivery waits, and no attempt is counted.',
  host_unproven:
    'The host received 50 requests and never responded with 2xx: the delivery waits for a test delivery that is sent every 15 minutes, and no attempt is counted.',
  interrupted:
    'The process that sent it stopped before it had the response: it is sent again, and `maxAttempts` rises by one.',
  aborted: 'The endpoint stopped further attempts, in a header of its response.',
  expired: 'The next attempt would have been later than 5 days after the delivery was created or resent.',
  held_after_restore:
    'The installation was restored from a backup, and the delivery may have been sent before: it waits until the operator releases it.',
  webhook_paused: 'Its webhook was paused or disabled for more than 72 hours.',
} as const

export type DeliveryError = keyof typeof deliveryErrors
