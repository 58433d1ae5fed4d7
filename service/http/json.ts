// Bodies: JSON, and RFC 7396 patches, which are JSON like any other. What is nested deeper than anything that we take is
// refused before it is parsed: a million brackets fit into one body, and not onto a stack.
import type { FastifyInstance } from 'fastify'
import { Fault } from '#contract/fault.ts'

const depthMax = 64

export function acceptJson(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  const types = ['application/json', 'application/merge-patch+json']
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(types, { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString()
    // An empty body is none: actions such as restore take no fields.
    if (text === '') return done(null, undefined)
    if (depthOf(text) > depthMax) return done(new Fault('invalid_json', `The body is nested deeper than ${depthMax}.`))
    return void parseJson(request, text, done)
  })
}

/** How deep arrays and objects are nested, in text that need not be valid JSON. */
export function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  // Brackets inside of strings are text.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth)
    else if (token === ']' || token === '}') depth -= 1
  }
  return deepest
}
