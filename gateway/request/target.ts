// The target of a request, `/path?query`, as it came, and the methods that a route takes.

/**
 * Only `/path?query` is taken: `//host/path` and `http://host/path` name servers, and an empty segment names nothing.
 */
export const isPlainTarget = (url: string): boolean => /^\/(?:[^/]+(?:\/[^/]+)*)?$/.test(pathOf(url))

export const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''
/** Without the question mark. */
export const queryOf = (url: string): string => url.slice(pathOf(url).length + 1)

/** GET answers HEAD as well. */
export const withHead = (method: string): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method])
