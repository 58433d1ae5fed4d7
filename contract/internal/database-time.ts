// What a call costs in database time, as the service tells the gateway, which takes it from the rate limit afterwards.

/** Header of the service's answer, in whole milliseconds. It goes no further. */
export const databaseTimeHeader = 'x-internal-database-ms'
