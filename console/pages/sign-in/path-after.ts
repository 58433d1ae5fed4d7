import { consolePrefix } from '#contract/route-paths.ts'

/** Below the console's own path, so that an address that somebody else has made leads nowhere else. */
export const pathAfter = (next = ''): string => (/^\/(?![/\\])/.test(next) ? `${consolePrefix}${next}` : consolePrefix)
