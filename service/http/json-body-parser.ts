// Request bodies: JSON, and JSON merge patches (RFC 7396), which are parsed alike.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ItemPlace } from '../text/json-depth-and-duplicates.ts'
import { parseJson } from '../text/parse-json.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Where a body of this route has items that are refused one by one. */
    itemPlaces?: readonly ItemPlace[]
  }
}

export function acceptJson(app: FastifyInstance): void {
  const types = ['application/json', 'application/merge-patch+json']
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(types, { parseAs: 'buffer' }, async ({ routeOptions }: FastifyRequest, body: Buffer) =>
    // An empty body is none: actions such as restore take no fields.
    body.length === 0 ? undefined : parseJson(body, routeOptions.config.itemPlaces),
  )
}
