import { consolePrefix } from '#contract/route-paths.ts'

/** Stays below the path of the console, so that a forged link cannot lead to another site. */
export const pathAfter = (next = ''): string => (/^\/(?![/\\])/.test(next) ? `${consolePrefix}${next}` : consolePrefix)
