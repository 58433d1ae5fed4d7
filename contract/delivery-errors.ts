// Why a delivery has not been taken, as `errorCode` of an attempt and `lastErrorCode` of a delivery say it: one code for
// each cause.
export const deliveryErrors = {
  http_status: 'The receiver answered with another status than 2xx.',
  timeout: 'There was no connection within 5 seconds, or no answer within 15.',
  connect_error: 'No connection came about.',
  connection_closed: 'The receiver took the connection and closed it without an answer.',
  invalid_response: 'What came back is no answer in HTTP/1.1, or its headers are longer than 16 KiB.',
  tls_error:
    'There was no agreement on encryption: a certificate that is expired or of another name, or no TLS at all.',
  dns_error: 'The name has no address, or none of its name servers answered.',
  blocked_address: 'The name leads to an address that webhooks may not be sent to.',
  invalid_url: 'The address is not one that webhooks may be sent to.',
  signing_failed: 'It could not be signed, by no fault of the receiver: it waits, and no attempt is counted.',
  proxy_error:
    'The proxy of this installation could not be used, by no fault of the receiver: it waits, and no attempt is counted.',
  host_busy:
    'The webhooks of the workspace send as many requests a second to this host as they may: it waits, and no attempt is counted.',
  host_unproven:
    'The host has been sent 50 requests and has never answered 2xx: it waits for one that is sent every 15 minutes, and no attempt is counted.',
  interrupted:
    'The process that sent it was lost before it had the answer: it is sent again, and `maxAttempts` rises by one.',
  aborted: 'The receiver asked for no more tries, in a header of its answer.',
  expired: 'The next try would have been later than 5 days after it was made or replayed.',
  webhook_paused: 'Its webhook was paused or disabled for more than 72 hours.',
} as const

export type DeliveryError = keyof typeof deliveryErrors
